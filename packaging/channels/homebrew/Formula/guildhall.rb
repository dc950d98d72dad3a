class Guildhall < Formula
  desc "Run, try and serve MCP servers without a window"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/guild-hall-@VERSION@.tar.gz"
  sha256 "@SHA256:guild-hall-@VERSION@.tar.gz@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "src-tauri/crates/guild-cli")
    generate_completions_from_executable(bin/"guildhall", "completions")
    man1.install "packaging/guildhall.1"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/guildhall --version")
  end
end
