cask "guild-hall" do
  arch arm: "aarch64", intel: "x64"

  version "@VERSION@"
  sha256 arm:   "@SHA256:Guild_Hall_@VERSION@_aarch64.dmg@",
         intel: "@SHA256:Guild_Hall_@VERSION@_x64.dmg@"

  url "@REPOSITORY@/releases/download/v#{version}/Guild_Hall_#{version}_#{arch}.dmg"
  name "Guild Hall"
  desc "Run, show, try and serve MCP servers"
  homepage "@REPOSITORY@"

  depends_on macos: ">= :big_sur"

  app "Guild Hall.app"
  binary "#{appdir}/Guild Hall.app/Contents/MacOS/guildhall"

  zap trash: [
    "~/Library/Application Support/guild-hall",
    "~/Library/Caches/org.guildhall.desktop",
    "~/Library/WebKit/org.guildhall.desktop",
  ]
end
