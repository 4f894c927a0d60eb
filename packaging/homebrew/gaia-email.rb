# From a checkout: brew install --HEAD ./packaging/homebrew/gaia-email.rb
class GaiaEmail < Formula
  desc "Sorts your mail on your own machine, and serves it to MCP clients"
  license "MIT"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "python@3.13"

  def install
    system "python3.13", "-m", "venv", libexec
    pip = [libexec/"bin/python", "-m", "pip", "install", "--no-cache-dir"]
    system(*pip, "--no-deps", "--require-hashes", "--only-binary=:all:", "-r", "requirements/run.txt")
    system(*pip, "--no-deps", buildpath)
    programs = %w[gaia gaia-email-mcp gaia-gmail-mcp gaia-graph-mcp gaia-imap-mcp gaia-local-mcp]
    programs.each { |name| bin.install_symlink libexec/"bin"/name }
    man1.install Dir["share/man/man1/*.1"]
  end

  test do
    assert_match "gaia-email", shell_output("#{bin}/gaia --version")
    system bin/"gaia", "email", "demo", "--json"
  end
end
