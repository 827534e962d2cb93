import TestKit
import Testing

@testable import ProviderFakes

/// Failures of Apertium's programs. Scripts take the place of the programs.
@Suite(.timeLimit(.minutes(10)))
struct ApertiumProgramTests {
  /// Runs `body` with a script in place of the program, and ends its processes afterwards.
  private func withProgram(
    _ script: String,
    modes: [String] = ["spa-ita", "ita-spa"],
    timeout: Duration = .seconds(300),
    _ body: (ScriptedApertium) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let scripted = try await ScriptedApertium(
        in: folder,
        script,
        modes: modes,
        timeout: timeout
      )
      let result: Result<Void, any Error>
      do { result = .success(try await body(scripted)) } catch { result = .failure(error) }
      await scripted.apertium.end()
      try result.get()
    }
  }

  @Test func `a program is started once for many texts, even concurrent ones`() async throws {
    try await withProgram("exec cat") { scripted in
      await withTaskGroup { group in
        for number in 0..<100 {
          group.addTask {
            let text = "Hola \(number)\n<b>"
            let answer = await scripted.apertium.translate(text, from: "es", to: "it")
            #expect(answer?.text == text)
            #expect(answer?.engine == "apertium")
          }
        }
      }
      #expect(scripted.starts == 1)
      #expect(scripted.apertium.description == "apertium (es-it, it-es)")
    }
  }

  @Test
  func `a missing pair is translated through a third language, which the engine's name shows`()
    async throws
  {
    let modes = ["fra-spa", "spa-ita", "xx-yy", "eng-spa_XX", "eco-spa-eng", "spa-por_BR", "notes"]
    try await withProgram("exec cat", modes: modes) { scripted in
      let answer = await scripted.apertium.translate("Salut", from: "fr", to: "it")
      #expect(answer?.text == "Salut")
      #expect(answer?.engine == "apertium-via-es")
      for (source, target) in [("it", "fr"), ("en", "es"), ("es", "fr"), ("es", "es")] {
        #expect(await scripted.apertium.translate("Salut", from: source, to: target) == nil)
      }
      #expect(scripted.apertium.description == "apertium (es-it, es-pt, fr-es, xx-yy)")
    }
  }

  @Test func `programs that have exited are replaced for the next text`() async throws {
    // The program exits after 11 bytes, which is the length of one text with its separator.
    try await withProgram("exec head -c 11") { scripted in
      for _ in 0..<3 {
        #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it")?.text == "Hola.")
      }
      #expect(scripted.starts == 3)
    }
  }

  @Test(arguments: [
    "exit 0", "exec head -c 1 >/dev/null", "kill -9 $$", "printf 'Hola.[][9]\\0'; exec cat",
    "printf '\\0'; exec cat", "printf '\\377\\0'; exec cat", "printf '[[.[][1]\\0'; exec cat",
    "head -c 1 >/dev/null; exec yes",
  ])
  func `a program that fails or returns an invalid answer yields no translation`(
    script: String
  ) async throws {
    try await withProgram(script) { scripted in
      #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it") == nil)
    }
  }

  @Test func `a surplus answer is detected, and the text is sent again`() async throws {
    // Each program gives two answers to its first text.
    try await withProgram("head -c 11; printf 'x\\0'; exec cat") { scripted in
      for _ in 0..<2 {
        #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it")?.text == "Hola.")
      }
      #expect(scripted.starts == 2)
    }
  }

  @Test func `a program that hangs is killed, and texts skip it for a while`() async throws {
    try await withProgram("exec sleep 600", timeout: .milliseconds(100)) { scripted in
      await withTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it") == nil)
          }
        }
      }
      #expect(scripted.starts < 20)
    }
  }

  @Test func `no program is started after the end`() async throws {
    try await withProgram("exec cat") { scripted in
      #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it") != nil)
      await scripted.apertium.end()
      #expect(await scripted.apertium.translate("Hola.", from: "es", to: "it") == nil)
      #expect(scripted.starts == 1)
    }
  }

  @Test func `with too many directions the least recently used one is ended`() async throws {
    let modes = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii"].map { "\($0)-it" }
    try await withProgram("exec cat", modes: modes) { scripted in
      for mode in modes + modes.suffix(8) + modes.prefix(1) {
        let answer = await scripted.apertium.translate(
          "Hola.",
          from: String(mode.prefix(2)),
          to: "it"
        )
        #expect(answer?.text == "Hola.")
      }
      #expect(scripted.starts == modes.count + 1)
    }
  }

  @Test func `a text that is too long is declined`() async throws {
    try await withProgram("exec cat") { scripted in
      let longest = String(repeating: "a ", count: 2_499) + "b."
      #expect(await scripted.apertium.translate(longest, from: "es", to: "it")?.text == longest)
      #expect(await scripted.apertium.translate(longest + "c", from: "es", to: "it") == nil)
    }
  }

  @Test func `a folder without directions is refused with the packages to install`() async throws {
    try await withTemporaryFolder { folder in
      for path in [folder, "\(folder)/nowhere"] {
        let error = #expect(throws: (any Error).self) {
          try Apertium(folder: path, environment: [:])
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("apertium-eng-spa"))
      }
    }
  }
}
