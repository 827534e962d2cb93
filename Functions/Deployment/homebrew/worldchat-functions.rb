# Builds the emulator and the functions from a clone. Not verified: nobody has run it on a Mac yet.
# Homebrew installs formulas from taps only:
#
#   brew tap-new worldchat/local
#   cp Functions/Deployment/homebrew/worldchat-functions.rb "$(brew --repository worldchat/local)/Formula/"
#   HOMEBREW_WORLDCHAT_CLONE="$PWD" brew install --HEAD worldchat/local/worldchat-functions
class WorldchatFunctions < Formula
  desc "Functions of a multilingual chat on Firebase, and a local emulator"
  head "file://#{ENV.fetch("HOMEBREW_WORLDCHAT_CLONE", "/HOMEBREW_WORLDCHAT_CLONE-is-not-set")}", using: :git

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "re2"

  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    products = Utils.safe_popen_read("sh", "-c", ". Functions/Deployment/project.sh && products").split
    version_line = Utils.safe_popen_read("sh", "-c", ". Functions/Deployment/project.sh && version_line")
    products.each do |product|
      system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", product
      libexec.install ".build/release/#{product}"
    end
    (libexec/"VERSION").write version_line

    # The emulator finds the functions beside its file, also through this link.
    bin.install_symlink libexec/"emulator"
    generate_completions_from_executable(libexec/"emulator", "--generate-completion-script", base_name: "emulator")
  end

  test do
    assert_equal (libexec/"VERSION").read, shell_output("#{bin}/emulator --version")
  end
end
