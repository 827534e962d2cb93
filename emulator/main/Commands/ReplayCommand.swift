import ArgumentParser
import Core
import FunctionRuntime
import Recording

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded invocations and compare the results.",
    usage: "emulator replay <paths> ... [<options>]",
    discussion: """
      Runs each fixture's function on the recorded event. Documents and providers' responses are \
      the recorded ones, so no emulator and no network are needed. If a function sends a request \
      that wasn't recorded, its fixture fails.

      Exit codes:
        0  all results are the same
        1  some results differ
        2  some fixtures can't be replayed

      Examples:
        emulator replay fixtures
        emulator replay fixtures/translateMessage --update
        emulator replay fixtures --coverage --junit report.xml
      """
  )

  /// The exit code if some results differ.
  static let differs: Int32 = 1
  /// The exit code if some fixtures can't be replayed.
  static let bad: Int32 = 2

  @Argument(help: "Fixtures of `emulator record`, or folders of them.")
  var paths: [String]

  @OptionGroup var functions: ReplayFunctions

  @Option(help: ArgumentHelp("Replay only fixtures of this function.", valueName: "name"))
  var function: String?

  @Flag(help: "Write the new results into the fixtures that differ.")
  var update = false

  @Flag(help: "List the possible outcomes that no fixture has, for each function.")
  var coverage = false

  @Option(help: ArgumentHelp("File to write a JUnit XML report to.", valueName: "file"))
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "Number of fixtures to replay at once. (default: two per processor)",
      valueName: "n"
    )
  )
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
  }

  func run() async throws {
    do throws(StatusError) {
      Core.exit(try await replay())
    } catch {
      writeAll("emulator: \(error.message)\n".utf8, to: STDERR_FILENO)
      Core.exit(Self.bad)
    }
  }

  private func replay() async throws(StatusError) -> Int32 {
    let start = ContinuousClock.now
    let files = try FixtureFile.all(at: paths)
    let jobs = jobs ?? 2 * ProcessInfo.processInfo.activeProcessorCount
    do {
      let (reports, strays, manifests) = try await functions.withEngine { engine in
        let batch = ReplayBatch(engine, function: function, updates: update)
        return (await batch.run(files, jobs: jobs), engine.strayRequests, engine.manifests)
      }
      guard !reports.isEmpty else {
        let whose = function.map { " of the function \(quoted($0))" } ?? ""
        throw StatusError(
          .notFound,
          "there is no fixture\(whose) in \(paths.joined(separator: " "))"
        )
      }
      for report in reports { say(report) }
      for stray in Set(strays).sorted() { print("a function sent no traceparent with \(stray)") }
      if coverage {
        let names = manifests.values.filter { function == nil || $0.name == function }
        let fixtures = reports.compactMap(\.fixture)
        for line in ReplayCoverage(names, fixtures: fixtures).lines { print(line) }
      }
      if let junit { try write(reports.junit, to: junit) }
      let counts = reports.counts
      let updated = counts.updated == 0 ? "" : "\(counts.updated) updated, "
      let tenths = (ContinuousClock.now - start) / .milliseconds(100)
      print(
        "\(reports.count) fixtures: \(counts.same) same, \(counts.differing) differ, \(updated)"
          + "\(counts.bad) bad (\(tenths.rounded() / 10) s)"
      )
      if counts.bad > 0 { return Self.bad }
      return counts.differing > 0 || !strays.isEmpty ? Self.differs : 0
    } catch let error as StatusError {
      throw error
    } catch {
      throw StatusError(.internal, "\(error)")
    }
  }

  private func say(_ report: ReplayReport) {
    switch report.verdict {
    case .same: break
    case .updated: print("\(report.file.path): updated")
    case .bad(let reason): print("\(report.file.path): bad: \(reason)")
    case .differs(let problems):
      print("\(report.file.path): differs")
      for problem in problems { print("  \(problem)") }
    }
  }

  private func write(_ data: Data, to path: String) throws(StatusError) {
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw StatusError(.failedPrecondition, "--junit: \(path) can't be written")
    }
  }
}
