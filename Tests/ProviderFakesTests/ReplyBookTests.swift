import Core
import Testing

@testable import ProviderFakes

struct ReplyBookTests {
  private let book = ReplyBook.standard
  private let engine = RuleEngine()

  @Test func `every intent has three replies and an emoji`() {
    #expect(book.malformedLines.isEmpty)
    for intent in ReplyIntent.allCases {
      #expect((book.replies[intent] ?? []).count >= ReplyBook.suggestionCount, "\(intent)")
      #expect(book.emoji[intent]?.isEmpty == false, "\(intent)")
    }
  }

  @Test(arguments: SpokenLanguage.allCases)
  func `the replies to a message are different, short and without links`(
    language: SpokenLanguage
  ) {
    for (intent, replies) in book.replies {
      let texts = replies.map { $0[language] }
      #expect(Set(texts).count == texts.count, "\(intent)")
      #expect(texts.allSatisfy { (1...100).contains($0.count) && !$0.contains("/") }, "\(intent)")
      #expect(texts.allSatisfy { !$0.contains("’") && !$0.contains("  ") }, "\(intent)")
    }
  }

  /// Two messages for each intent and language, in the order of the book's languages.
  static let samples: [(ReplyIntent, [[String]])] = [
    (
      .birthday,
      [
        ["Happy birthday!", "Hey, happy birthday Marco 🎂"],
        ["¡Feliz cumpleaños!", "Feliz cumple, guapo"], ["Buon compleanno!", "Tanti auguri Marco!"],
        ["Joyeux anniversaire !", "Bon anniversaire ma belle"],
        ["Feliz aniversário!", "Oi, feliz niver!"],
        ["Alles Gute zum Geburtstag!", "Herzlichen Glückwunsch zum Geburtstag"],
      ]
    ),
    (
      .badNews,
      [
        ["My grandfather died last night", "I lost my job today"],
        ["Mi abuelo ha fallecido", "Tengo malas noticias"],
        ["Mio nonno è morto", "Sono triste oggi"],
        ["Mon grand-père est décédé", "Mauvaise nouvelle…"],
        ["Meu avô faleceu", "Hoje estou triste"], ["Mein Opa ist gestorben", "Ich bin so traurig"],
      ]
    ),
    (
      .congratulation,
      [
        ["I got the job!", "We won the match!"], ["¡He aprobado el examen!", "¡Me caso!"],
        ["Ho passato l'esame!", "Ce l'ho fatta!"], ["J'ai réussi !", "On se marie !"],
        ["Passei na prova!", "Consegui o emprego!"],
        ["Ich habe bestanden!", "Wir heiraten im Mai!"],
      ]
    ),
    (
      .goodLuck,
      [
        ["Good luck tomorrow!", "Break a leg at your interview tomorrow!"],
        ["¡Mucha suerte mañana!", "¡Buen viaje!"], ["In bocca al lupo!", "Buon viaggio!"],
        ["Bonne chance pour demain !", "Bon voyage !"], ["Boa sorte!", "Boa viagem!"],
        ["Viel Glück morgen!", "Gute Reise!"],
      ]
    ),
    (
      .lateness,
      [
        ["Sorry, I'm running late!", "I'm stuck in traffic"],
        ["Llego tarde, perdona", "Estoy en un atasco"],
        ["Sono in ritardo, scusa!", "Ho perso il treno"],
        ["Je suis en retard, désolé", "J'ai raté le bus"],
        ["Estou atrasado, desculpa", "Perdi o ônibus"],
        ["Ich bin spät dran, sorry", "Ich stehe im Stau"],
      ]
    ),
    (
      .apology,
      [
        ["I'm so sorry about yesterday", "It was my fault"], ["Lo siento mucho", "Perdóname"],
        ["Scusami per ieri", "Mi dispiace tanto"], ["Je suis désolée", "Pardon pour hier"],
        ["Desculpa por ontem", "Foi mal!"], ["Es tut mir leid", "Entschuldigung für gestern"],
      ]
    ),
    (
      .helpRequest,
      [
        ["Can you help me?", "I need a hand with the move"],
        ["¿Me puedes ayudar?", "Necesito ayuda"], ["Puoi aiutarmi?", "Mi dai una mano?"],
        ["Tu peux m'aider ?", "J'ai besoin d'aide"], ["Você pode me ajudar?", "Preciso de ajuda"],
        ["Kannst du mir helfen?", "Ich brauche Hilfe"],
      ]
    ),
    (
      .invitation,
      [
        ["Hey, let's meet for coffee tomorrow!", "Would you like to come for dinner?"],
        ["¿Te apetece cenar hoy?", "¡Vamos al cine!"],
        ["Ehi, incontriamoci per un caffè domani!", "Ti va di andare al mare?"],
        ["Tu veux venir dîner ?", "Ça te dit un ciné ?"],
        ["Vamos ao cinema!", "Quer jantar comigo?"],
        ["Hast du Lust auf Kino?", "Lass uns einen Kaffee trinken"],
      ]
    ),
    (
      .timeProposal,
      [
        ["Tomorrow at 8?", "What time do you arrive?"],
        ["¿Mañana a las 8?", "¿A qué hora llegas?"],
        ["Domani alle 8?", "A che ora arrivi?"], ["Demain à 20h ?", "À quelle heure tu arrives ?"],
        ["Amanhã às 8?", "A que horas você chega?"],
        ["Morgen um 8?", "Um wie viel Uhr kommst du?"],
      ]
    ),
    (
      .compliment,
      [
        ["I love you", "You're amazing!"], ["Te quiero", "¡Bonita foto!"],
        ["Ti voglio bene", "Bella foto!"], ["Je t'aime", "Tu me manques"],
        ["Te amo", "Você é demais!"], ["Ich liebe dich", "Schönes Foto!"],
      ]
    ),
    (
      .thanks,
      [
        ["Thanks a lot!", "Thank you, see you tomorrow"], ["¡Muchas gracias!", "Gracias por todo"],
        ["Grazie mille!", "Ti ringrazio"], ["Merci beaucoup !", "Je te remercie"],
        ["Muito obrigada!", "Valeu!"], ["Vielen Dank!", "Danke dir"],
      ]
    ),
    (
      .howAreYou,
      [
        ["Hi! How are you?", "What's up?"], ["Hola, ¿qué tal?", "¿Cómo estás?"],
        ["Ciao, come stai?", "Come va?"], ["Salut, ça va ?", "Comment vas-tu ?"],
        ["Oi, tudo bem?", "Como você está?"], ["Hallo, wie geht's?", "Wie geht es dir?"],
      ]
    ),
    (
      .goodbye,
      [
        ["See you tomorrow!", "Good night!"], ["¡Hasta mañana!", "Buenas noches"],
        ["A domani!", "Buonanotte 🌙"], ["À demain !", "Bonne nuit"], ["Tchau!", "Até amanhã!"],
        ["Bis morgen!", "Gute Nacht"],
      ]
    ),
    (
      .openQuestion,
      [
        ["Where is the hotel?", "Why not?"], ["¿Dónde está el hotel?", "¿Quién viene?"],
        ["Dov'è il bar? Dove siete?", "Chi viene?"], ["Où est l'hôtel ?", "Pourquoi pas ?"],
        ["Onde fica o hotel?", "Quem vem?"], ["Wo ist das Hotel?", "Warum nicht?"],
      ]
    ),
    (
      .yesNoQuestion,
      [
        ["Did you see the photo?", "Are you sure?"], ["¿Has visto la foto?", "¿Seguro?"],
        ["Hai visto la foto?", "Sei sicura?"], ["Tu as vu la photo ?", "Vraiment ?"],
        ["Você viu a foto?", "Tem certeza?"], ["Hast du das Foto gesehen?", "Bist du sicher?"],
      ]
    ),
    (
      .greeting,
      [
        ["Hi there", "Good morning!"], ["Hola", "¡Buenos días!"], ["Ciao!", "Buongiorno"],
        ["Salut", "Bonjour à tous"], ["Oi!", "Bom dia"], ["Hallo!", "Guten Morgen"],
      ]
    ),
    (
      .other,
      [
        ["The weather is nice.", "Ok"], ["Hace sol.", "Vale"], ["C'è il sole.", "Va bene"],
        ["Il fait beau.", "D'accord"], ["Está sol.", "Tá"], ["Die Sonne scheint.", "Gut"],
      ]
    ),
  ]

  @Test func `there are samples of every intent`() {
    #expect(Self.samples.map(\.0) == ReplyIntent.allCases)
    #expect(Self.samples.allSatisfy { $0.1.count == 6 && $0.1.allSatisfy { $0.count >= 2 } })
  }

  @Test(arguments: samples)
  func `a message is recognized in its language`(intent: ReplyIntent, texts: [[String]]) {
    for (language, texts) in zip(SpokenLanguage.allCases, texts) {
      for text in texts {
        #expect(book.intent(of: text, language: language.rawValue) == intent, "\(text)")
      }
    }
  }

  @Test(arguments: samples)
  func `a message gets three replies, the same in both languages`(
    intent: ReplyIntent,
    texts: [[String]]
  ) throws {
    let rows = try #require(book.replies[intent])
    for (source, text) in zip(SpokenLanguage.allCases, texts.flatMap { $0.prefix(1) }) {
      for target in SpokenLanguage.allCases {
        let input = ModelRequests.replies(
          to: [ModelRequests.message("m1", "P2", text, language: source.rawValue)],
          in: target.rawValue + "-XX",
          translation: source.rawValue
        )
        let answer = engine.output(input, ModelRequests.repliesSchema)
        let expected = rows.prefix(3).map { row in
          JSONValue.object(["text": .string(row[target]), "translation": .string(row[source])])
        }
        #expect(answer == .object(["suggestions": .array(expected)]), "\(text)")
        #expect(engine.output(input, ModelRequests.repliesSchema) == answer)
      }
    }
  }

  @Test func `the newest message of another user is answered`() {
    let messages = [
      ModelRequests.message("m1", "P2", "Hello!", language: "en"),
      ModelRequests.message("m2", "P3", "Thank you!", language: "en"),
      ModelRequests.message("m3", "P1", "I'm running late", language: "en"),
    ]
    let first = { (messages: [JSONValue]) in
      engine.output(ModelRequests.replies(to: messages), ModelRequests.repliesSchema)[
        "suggestions"
      ]?.array?.first?["text"]?.string
    }
    #expect(first(messages) == "You're welcome!")
    #expect(first(messages.suffix(1)) == "No problem, take your time.")
    #expect(first([]) == "Okay, got it!")
  }

  @Test func `a message without a language is recognized in any`() {
    #expect(book.intent(of: "Grazie mille!", language: nil) == .thanks)
    #expect(book.intent(of: "Danke!", language: nil) == .thanks)
    #expect(book.intent(of: "ありがとう", language: "ja") == .other)
    #expect(book.intent(of: "本当？", language: "ja") == .yesNoQuestion)
  }

  @Test func `a message with emoji gets a reply with one`() throws {
    let message = ModelRequests.message("m1", "P2", "I got the job!", language: "en")
    let answer = engine.output(
      ModelRequests.replies(to: [message], in: "it", translation: "en", usesEmoji: true),
      ModelRequests.repliesSchema
    )
    let first = try #require(answer["suggestions"]?.array?.first)
    #expect(first["text"] == "Che notizia meravigliosa! 🎉")
    #expect(first["translation"] == "That's wonderful news! 🎉")
    #expect(answer["suggestions"]?.array?.count == 3)
  }

  @Test func `a malformed line is skipped and reported`() {
    let book = ReplyBook(
      tables: ["hi\n# greeting 👋\nen: hi\nxx: hi\na | b\n# nothing 👋\na | b | c | d | e | f"]
    )
    #expect(book.malformedLines == ["hi", "xx: hi", "a | b", "# nothing 👋"])
    #expect(book.intent(of: "Hi", language: "en") == .greeting)
    #expect(book.replies[.greeting]?.count == 1)
  }
}
