import Core
import Providers
import TestKit
import Testing

@testable import Chat

/// Links, addresses and numbers that a model or translator adds. The checks must refuse all of them.
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
  func `no random span passes in an answer`(form: HostileSpans.Form) throws {
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
  func `no random span passes in a translation`(form: HostileSpans.Form) {
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
  func `people's own spans may be repeated, and no others`(form: HostileSpans.Form) throws {
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
  func `an earlier answer's span doesn't count as said by people`(span: String) throws {
    // The prompt contains the model's earlier answers, but they don't count as texts that people
    // wrote.
    let answer = "Ecco \(span) per te"
    #expect(try problem(with: answer, checks(said: ["Ciao", "evil com", "evil, com"])) != nil)
    #expect(try problem(with: answer, checks(said: ["Vedi \(span)"])) == nil)
  }

  @Test func `a comma that people typed becomes no full stop`() throws {
    let checks = try checks(said: ["Che cosa è evil,com? E evil;com, evil com?"])
    #expect(try problem(with: "Si tratta di evil,com", checks) == nil)
    #expect(try problem(with: "Si tratta di evil.com", checks) != nil)
  }

  @Test func `a stranger's span is not repeated in our name`() throws {
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
