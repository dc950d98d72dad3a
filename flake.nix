{
  description = "Run, show, try and serve MCP servers";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "aarch64-darwin" "aarch64-linux" "x86_64-linux" ];
      forAll = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      # `guildhall` alone. The lock file of the window has no addresses, which Nix would need to
      # fetch its packages.
      packages = forAll (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "guildhall";
          version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "guild-cli" ];
          # The tests start servers from npm and PyPI.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installManPage packaging/guildhall.1
            installShellCompletion --cmd guildhall \
              --bash <($out/bin/guildhall completions bash) \
              --fish <($out/bin/guildhall completions fish) \
              --zsh <($out/bin/guildhall completions zsh)
          '';
          meta = {
            description = "Run, try and serve MCP servers without a window";
            license = with nixpkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "guildhall";
          };
        };
      });
    };
}
