# From a checkout: nix-build packaging/nix, then result/bin/gaia email demo
# nixpkgs lacks some of the libraries, so uv installs them when a program is first started.
{ pkgs ? import <nixpkgs> { } }:
let
  version = "0.1.0";
  python = pkgs.python313;
  source = pkgs.lib.cleanSource ../..;
  programs = [
    "gaia"
    "gaia-email-mcp"
    "gaia-gmail-mcp"
    "gaia-graph-mcp"
    "gaia-imap-mcp"
    "gaia-local-mcp"
  ];
  # The wheels from the package registry expect these where other systems have them.
  libraries = pkgs.lib.makeLibraryPath [ pkgs.stdenv.cc.cc.lib pkgs.zlib ];
  started = name: pkgs.writeShellApplication {
    inherit name;
    runtimeInputs = [ pkgs.uv ];
    text = ''
      export UV_PYTHON_DOWNLOADS=never
      export LD_LIBRARY_PATH=${libraries}''${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
      exec uv tool run --python ${python}/bin/python3 --with-requirements ${source}/requirements/run.txt --from ${source} ${name} "$@"
    '';
  };
in
pkgs.symlinkJoin {
  name = "gaia-email-${version}";
  paths = map started programs;
}
