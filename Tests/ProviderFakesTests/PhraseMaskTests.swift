import Testing

@testable import ProviderFakes

/// The variable parts of phrases: names, numbers and times.
struct PhraseMaskTests {
  private let book = Phrasebook.standard

  @Test(
    arguments: [
      ("en", "it", "Hi Marco!", "Ciao, Marco!"), ("en", "it", "hi, Marco", "Ciao, Marco!"),
      ("en", "fr", "Happy birthday, Zoë! 🎂", "Joyeux anniversaire, Zoë ! 🎂"),
      ("en", "de", "Thanks @marco_92!", "Danke, @marco_92!"),
      ("en", "es", "Say hi to Anna Maria!", "¡Saluda a Anna Maria de mi parte!"),
      ("en", "de", "It's Sarah's birthday today!", "Heute hat Sarah Geburtstag!"),
      ("en", "it", "Jean-Luc says hi.", "Jean-Luc ti saluta."),
      ("fr", "en", "Salut Chloé, ça va ?", nil), ("fr", "en", "Où est Chloé ?", "Where is Chloé?"),
      ("es", "pt", "Hola, Lucía, ¿cómo estás?", "Oi, Lucía, como você está?"),
      ("en", "it", "See you at 7:30pm!", "Ci vediamo alle 7:30pm!"),
      ("en", "es", "See you at 8!", "¡Nos vemos a las 8!"),
      ("en", "de", "See you at 8 PM, Lukas!", "Wir sehen uns um 8 PM, Lukas!"),
      ("de", "en", "Wir sehen uns um 19:30!", "See you at 19:30!"),
      ("fr", "it", "On se voit à 19h30 !", "Ci vediamo alle 19h30!"),
      ("pt", "en", "Chego em 25 minutos", "I'll be there in 25 minutes."),
      ("en", "fr", "It costs 12,50 euros.", "Ça coûte 12,50 euros."),
      ("en", "it", "It costs 1.000 euros!", "Costa 1.000 euro."),
      ("en", "it", "My phone is at 3%", "Il mio telefono è al 3%."),
      ("en", "it", "I'm 99,5% sure.", "Sono sicuro al 99,5%."),
      // A function has replaced a time, a link or a name by a placeholder such as `[X0X]`.
      ("en", "it", "See you at [X0X], Marco!", "Ci vediamo alle [X0X], Marco!"),
      ("en", "fr", "See you at [X0X], [X1X]!", "On se voit à [X0X], [X1X] !"),
      ("en", "de", "It's [X0X]'s birthday today!", "Heute hat [X0X] Geburtstag!"),
      ("en", "it", "My phone is at [X0X]", "Il mio telefono è al [X0X]."),
      ("en", "it", "It costs [X0X] euros!", "Costa [X0X] euro."),
      ("en", "es", "Thanks ([X0X])!", nil), ("en", "es", "Thanks [X0X][X1X]!", nil),
      ("en", "es", "Thanks [X0X]ly!", nil), ("en", "es", "Thanks [X 0]!", nil),
      ("en", "it", "Hi Marco! See you at 19:30! 😊", "Ciao, Marco! Ci vediamo alle 19:30! 😊"),
      // The variable part isn't a time, a number or a name.
      ("en", "it", "See you at 25:99!", nil), ("en", "it", "See you at 7:3!", nil),
      ("en", "it", "I'm twelve years old.", nil), ("en", "it", "It costs 1/2 euros.", nil),
      ("en", "it", "Hi marco!", nil), ("en", "it", "Hi Yesterday!", nil),
      ("de", "it", "Hallo Leute!", nil), ("en", "it", "Hi Marco and Anna!", nil),
      ("en", "it", "Hi X!", nil), ("en", "it", "Hi @!", "Ciao, @!"),
      ("en", "it", "Hi https://example.com!", nil),
    ] as [(String, String, String, String?)]
  )
  func `names, numbers and times stay unchanged`(
    source: String,
    target: String,
    text: String,
    translation: String?
  ) {
    #expect(book.translate(text, from: source, to: target) == translation)
  }

  @Test func `every phrase with placeholders is translated from each language to every other`()
    throws
  {
    let values: [PhraseMask: String] = [
      .name: "Zarathustra", .number: "42", .time: "19:30", .percentage: "3%",
    ]
    for phrase in book.phrases where !PhraseMask.masks(in: phrase[0]).isEmpty {
      for (from, source) in book.languages.enumerated() {
        let text = PhraseMask.fill(phrase[from], with: values)
        // If several phrases have the same text, the first one is used.
        let first = try #require(book.phrases.first { $0[from] == phrase[from] })
        for (to, target) in book.languages.enumerated() {
          let translation = PhraseMask.fill(first[to], with: values)
          #expect(book.translate(text, from: source, to: target) == translation, "\(text)")
        }
      }
    }
  }

  @Test func `a placeholder inside a value is not filled`() {
    let values: [PhraseMask: String] = [.name: "#:# # @", .number: "@", .time: "#"]
    #expect(PhraseMask.fill("a @ b # c #:# d", with: values) == "a #:# # @ b @ c # d")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a text of names and numbers is refused quickly`() {
    for text in [
      String(repeating: "Marco 7 ", count: 20_000), String(repeating: "Xy 1 ", count: 30),
      String(repeating: "@", count: 100_000), "Hi M" + String(repeating: "\u{301}", count: 100_000),
    ] {
      #expect(book.translate(text, from: "en", to: "it") == nil)
      _ = book.detect(text)
    }
  }
}
