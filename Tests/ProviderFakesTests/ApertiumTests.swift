import Testing

@testable import ProviderFakes

/// Translations by the real Apertium, if it is installed.
@Suite(
  .enabled(if: installedApertium() != nil, "Apertium is not installed"),
  .timeLimit(.minutes(10))
)
struct ApertiumTests {
  private func withApertium(_ body: (Apertium) async throws -> Void) async throws {
    let apertium = try #require(installedApertium())
    let result: Result<Void, any Error>
    do { result = .success(try await body(apertium)) } catch { result = .failure(error) }
    await apertium.end()
    try result.get()
  }

  @Test(
    .enabled(if: installedApertium()?.description.contains("en-es") == true, "no apertium-eng-spa")
  )
  func `Apertium translates what the phrasebook lacks, and the rest is marked`() async throws {
    try await withApertium { apertium in
      let translator = OfflineTranslator(apertium: apertium)
      let answers = await translator.translate(
        [
          "Hello", "The house is very big.", "xyzzy frobnicates the qwertys",
          "See the house at [X0X]!",
          "The house\n<b>is</b> ^big$ [X0X] {here}\0 *@#",
        ],
        from: "en",
        to: "es"
      )
      #expect(
        answers.map(\.engine) == ["phrasebook", "apertium", "pseudo", "apertium", "apertium"]
      )
      #expect(answers[1].text == "La casa es muy grande.")
      #expect(answers[3].text.contains("[X0X]"))
      for mark in ["\n<", ">", "</", "^", "$", "[X0X]", "{", "}\0", "*@#"] {
        #expect(answers[4].text.contains(mark), "\(mark)")
      }
      let other = await translator.translate("The house is very big.", from: "en", to: "ja")
      #expect(other.engine == "pseudo")
    }
  }

  @Test(arguments: HostileText.allCases)
  func `hostile text is declined or returned whole, and the next text is translated`(
    hostile: HostileText
  ) async throws {
    try await withApertium { apertium in
      guard apertium.description.contains("es-it") else { return }
      let text = String(hostile.text.prefix(5_000))
      if let answer = await apertium.translate(text, from: "es", to: "it") {
        let unchanged = { (text: String) in text.filter { !$0.isLetter && !" ¿¡".contains($0) } }
        #expect(unchanged(answer.text) == unchanged(text))
      }
      #expect(await apertium.translate("casa", from: "es", to: "it")?.text == "casa")
    }
  }
}
