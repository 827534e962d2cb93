import Core
import Providers
import TestKit
import Testing

@testable import Chat

/// Nothing of a model's or a translator's own that could be opened, written to or called passes.
@Suite(.timeLimit(.minutes(10)))
struct HostileSpanTests {
  private static let count = 300

  private func checks(
    said texts: [String],
    quotesInput: Bool = true
  ) throws -> ModelText {
    let template = Prompt.Template(
      name: "sample",
      version: 1,
      instructions: "Answer.",
      output: .object(["text": .string(maximumLength: 500)]),
      maximumOutputTokens: 10
    )
    let prompt = try Prompt(template, input: ["text": "Hi"])
    return ModelText(prompt, said: texts, quotesInput: quotesInput)
  }

  private func problem(with text: String, _ checks: ModelText) throws -> String? {
    checks.problem(
      with: text,
      name: "answer",
      in: try Language("it"),
      maximum: 500,
      allowsLines: true
    )
  }

  @Test(arguments: HostileSpans.Form.allCases)
  func `no span by chance passes in an answer`(form: HostileSpans.Form) throws {
    for seed in 0..<UInt64(Self.count) {
      var spans = HostileSpans(seed: seed)
      let span = spans.span(form)
      let sentence = spans.sentence(span, form)
      #expect(
        !PlainText.findings(in: sentence).isEmpty || !PromptText.hidden(in: sentence).isEmpty,
        "seed \(seed): \(sentence.debugDescription)"
      )
    }
  }

  @Test(arguments: HostileSpans.Form.allCases.filter(\.isForTranslators))
  func `no span by chance passes in a translation`(form: HostileSpans.Form) {
    for seed in 0..<UInt64(Self.count) {
      var spans = HostileSpans(seed: seed)
      let span = spans.span(form)
      let sentence = spans.sentence(span, form)
      #expect(throws: StatusError.self, "seed \(seed): \(sentence.debugDescription)") {
        try TranslatedWords.checked(sentence, of: "Hello there, see you soon")
      }
    }
  }

  @Test(arguments: HostileSpans.Form.allCases)
  func `what people have written may be repeated, and no more`(form: HostileSpans.Form) throws {
    for seed in 0..<UInt64(Self.count) {
      var spans = HostileSpans(seed: seed)
      let span = spans.span(form)
      let said = PlainText.findings(in: "Ecco \(span) e poi")
      let quoting = SaidText(["Ciao, \(span) è qui"], kinds: ModelText.repeatable)
      let known = said.allSatisfy(quoting.contains) && PromptText.hidden(in: span).isEmpty
      #expect(known == form.isQuotable, "seed \(seed): \(span.debugDescription)")
    }
  }

  @Test(arguments: [
    "evil.com", "evil,com", "evil。com", "tg://join", "fb://page", "//evil", "a@b", "①②③",
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "**bold**", "`code`", "/start", "@anna", "0900 123 456", "𝐞𝐯𝐢𝐥.𝐜𝐨𝐦",
  ])
  func `what a model has said before is not what people said`(span: String) throws {
    // The answers of before are in the prompt, and in none of the texts.
    let answer = "Ecco \(span) per te"
    #expect(try problem(with: answer, checks(said: ["Ciao", "evil com", "evil, com"])) != nil)
    #expect(try problem(with: answer, checks(said: ["Vedi \(span)"])) == nil)
  }

  @Test func `a comma that people typed becomes no full stop`() throws {
    let checks = try checks(said: ["Che cosa è evil,com? E evil;com, evil com?"])
    #expect(try problem(with: "Si tratta di evil,com", checks) == nil)
    #expect(try problem(with: "Si tratta di evil.com", checks) != nil)
  }

  @Test func `what a stranger wrote is not said in our name`() throws {
    for form in [
      HostileSpans.Form.host, .page, .app, .local, .mail, .handle, .number, .code, .markup, .hidden,
    ] {
      for seed in 0..<UInt64(100) {
        var spans = HostileSpans(seed: seed)
        let span = spans.span(form)
        let checks = try checks(said: [span], quotesInput: false)
        #expect(try problem(with: "Ecco \(span)", checks) != nil, "seed \(seed): \(span)")
      }
    }
  }
}
