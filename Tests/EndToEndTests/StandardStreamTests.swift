import Core
import TestKit
import Testing

/// Processes whose stdin, stdout or stderr is closed, full, or never read.
@Suite(.timeLimit(.minutes(10)))
struct StandardStreamTests {
  /// A Perl script that runs a command whose stdout or stderr is full, or has no reader.
  ///
  /// Perl's `exec` keeps the default action for SIGPIPE.
  private static let shell = #"""
    my ($stream, $state, @command) = @ARGV;
    pipe(my $reader, my $writer);
    if ($state eq "full") {
      use Fcntl;
      fcntl($writer, F_SETFL, O_NONBLOCK);
      1 while syswrite($writer, "x" x 4096);
      fcntl($writer, F_SETFL, 0);
    } else {
      close($reader);
    }
    my $child = fork();
    if ($child == 0) {
      open($stream == 1 ? STDOUT : STDERR, ">&", $writer);
      exec @command;
    }
    waitpid($child, 0);
    exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
    """#

  private func run(
    _ stream: Int,
    _ state: String,
    _ command: [String],
    input: String = "",
    environment: [String: String] = plainEnvironment
  ) async throws -> ProgramOutput {
    try await runProgram(
      "/usr/bin/perl",
      ["-e", Self.shell, "\(stream)", state] + command,
      input: Array(input.utf8),
      environment: environment
    )
  }

  private var function: String { get throws { try Products.path(of: "translateMessage") } }

  @Test(arguments: [[], ["--worker"], ["--describe"], ["--help"]])
  func `a function whose result nobody reads ends with 75 and the reason`(
    arguments: [String]
  ) async throws {
    let output = try await run(1, "closed", [function] + arguments, input: "{}")
    #expect(output.exitCode == 75)
    let line = try json(output.errorText)
    #expect(line["severity"]?.string == "ERROR")
    #expect(line["function"]?.string == "translateMessage")
    #expect(line["message"]?.string == "stdout can't be written")
    #expect(line["error"]?.string == "Broken pipe")
  }

  @Test(arguments: [[], ["--worker"], ["--describe"], ["--help"]])
  func `a function without stdout ends with 75`(arguments: [String]) async throws {
    let output = try await runProgram(
      "/bin/sh",
      ["-c", #"exec "$@" >&-"#, "sh", try function] + arguments,
      input: Array("{}".utf8)
    )
    #expect(output.exitCode == 75)
    #expect(try json(output.errorText)["message"]?.string == "stdout can't be written")
  }

  @Test(arguments: ["closed", "full"])
  func `a function whose log nobody reads ends as usual`(state: String) async throws {
    // Nothing listens on these addresses, so the function logs errors.
    let environment = plainEnvironment.merging([
      "GOOGLE_CLOUD_PROJECT": "demo-p", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
      "GOOGLE_TRANSLATION_API_KEY": "k", "TRANSLATION_BASE_URL": "http://127.0.0.1:1",
      "LOG_LEVEL": "trace",
    ]) { $1 }
    let call = #"{"text":"Hello","sourceLang":"en","targetLang":"it"}"#
    let output = try await run(2, state, [function], input: call, environment: environment)
    #expect(output.exitCode == 75)
    #expect(try json(output.text)["exitCode"] == .integer(75))
    let worker = try await run(
      2,
      state,
      [function, "--worker"],
      input: "\(call)\n\(call)\n",
      environment: environment
    )
    #expect(worker.exitCode == 0)
    #expect(worker.lines.count == 3)
  }

  @Test func `a program without stdout and stderr writes its log nowhere else`() async throws {
    let output = try await runProgram(
      "/bin/sh",
      ["-c", #"exec "$@" >&- 2>&-"#, "sh", try function],
      input: Array("{}".utf8)
    )
    #expect(output.exitCode == 75)
  }

  @Test(arguments: ["<&-", "</"])
  func `a stdin that can't be read is named`(redirection: String) async throws {
    let output = try await runProgram(
      "/bin/sh",
      ["-c", #"exec "$@" "# + redirection, "sh", try function],
      environment: plainEnvironment.merging([
        "GOOGLE_CLOUD_PROJECT": "demo-p", "GOOGLE_TRANSLATION_API_KEY": "k",
      ]) { $1 }
    )
    #expect(output.exitCode == 65)
    #expect(try json(output.text).at("error.message")?.string?.hasPrefix("stdin can't be") == true)
  }

  @Test func `an emulator command whose output nobody reads fails with the reason`()
    async throws
  {
    let emulator = try Products.path(of: "emulator")
    let output = try await run(
      1,
      "closed",
      [emulator, "generate-event", "created", "conversations/c/messages/m", "--text", "Hi"]
    )
    #expect(output.exitCode == 1)
    #expect(output.errorText.contains("stdout can't be written"))
  }
}
