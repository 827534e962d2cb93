import Core
import Testing

@testable import ProviderFakes

/// The idioms that the lexicon finds in texts, and texts in which it must find none.
struct IdiomMatchingTests {
  private let lexicon = IdiomLexicon.standard
  private let engine = RuleEngine()

  @Test func `the idiom in the documentation has the equivalent shown there`() {
    let answer = engine.output(
      ModelRequests.analysis("Break a leg at your interview tomorrow!"),
      ModelRequests.analysisSchema
    )
    let expected: JSONObject = [
      "hasCulturalContext": .boolean(true), "type": "idiom", "idiomDetected": "Break a leg",
      "explanation": .string(
        #""Break a leg" è un modo di dire inglese e significa: buona fortuna. "#
          + "In italiano si dice: In bocca al lupo."
      ),
      "relevance": "high", "suggestedEquivalent": "In bocca al lupo",
    ]
    #expect(answer == .object(expected))
  }

  @Test(
    arguments: [
      ("He broke a leg skiing.", "en"), ("Careful, you could break a leg on that ice.", "en"),
      ("I don't want to break a leg.", "en"), ("I ate a piece of cake.", "en"),
      ("There is a piece of cake left in the fridge.", "en"),
      ("Would you like a piece of cake?", "en"), ("The moon looks blue tonight.", "en"),
      ("We have two cats and three dogs.", "en"), ("He broke an arm and a leg.", "en"),
      ("Put the beans in the pot.", "en"), ("The cat is in the bag.", "en"),
      ("My leg hurts, don't pull it.", "en"), ("The weather is nice today.", "en"),
      ("Open the book on page ten.", "en"), ("He took it out of the blue box.", "en"),
      ("I get cold feet in winter.", "en"), ("The bottle has no cap.", "en"),
      ("Sorry about my bad English!", "en"), ("She saw a ghost in the film.", "en"),
      ("They break the ice on the lake every morning.", "en"),
      ("What time is the meeting tomorrow?", "en"), ("Let's eat at 8.", "en"),
      ("He hit the nail with a hammer.", "en"), ("Can you throw me a towel?", "en"),
      ("The early train leaves at six.", "en"), ("You need a needle and thread.", "en"),
      ("I'm in bed with a cold.", "en"), ("Break! A leg of lamb for dinner?", "en"),
      ("Nos vemos mañana en la estación.", "es"), ("¿Has comido pan hoy?", "es"),
      ("Me corté el pelo ayer.", "es"), ("Compra doce manzanas y uvas.", "es"),
      ("Me duele un ojo de tanto leer.", "es"), ("He comido pan comido por nadie.", "es"),
      ("Ci vediamo alle otto davanti al cinema.", "it"), ("Ho visto un lupo nel bosco.", "it"),
      ("Apri la bocca, per favore.", "it"), ("Piove da stamattina.", "it"),
      ("A che ora arrivi?", "it"), ("Non vedo Luca da un'ora.", "it"),
      ("Il pleut depuis ce matin.", "fr"), ("J'ai acheté des pommes au marché.", "fr"),
      ("On a vu un lapin dans le jardin.", "fr"), ("Tu viens à quelle heure ?", "fr"),
      ("A casa dos meus avós é linda.", "pt"), ("Quero suco de mamão.", "pt"),
      ("Meu telefone está ligado.", "pt"), ("Você viu os dois coelhos?", "pt"),
      ("Der Zug fährt am Bahnhof ab.", "de"), ("Ich trinke noch ein Bier.", "de"),
      ("Kauf bitte Tomaten und Brot.", "de"), ("Wir treffen uns um acht.", "de"),
      ("Meine Augen tun weh.", "de"), ("Bis morgen!", "de"),
    ]
  )
  func `an ordinary sentence has nothing to explain`(text: String, language: String) {
    #expect(lexicon.firstMatch(in: text, language: language)?.piece == nil)
    #expect(lexicon.firstMatch(in: text, language: nil)?.piece == nil)
    let answer = engine.output(
      ModelRequests.analysis(text, language: language),
      ModelRequests.analysisSchema
    )
    let nothing: JSONObject = [
      "hasCulturalContext": .boolean(false), "type": "none", "idiomDetected": .null,
      "explanation": "", "relevance": "low", "suggestedEquivalent": .null,
    ]
    #expect(answer == .object(nothing))
  }

  @Test(
    arguments: [
      ("Are you pulling my leg?", "en", "pulling my leg"),
      ("PIECE OF CAKE!", "en", "PIECE OF CAKE"),
      ("The exam was a piece of cake 😂", "en", "was a piece of cake"),
      ("It’s raining cats and dogs", "en", "raining cats and dogs"),
      ("I’m   over the\nmoon!", "en", "I’m   over the\nmoon"),
      ("No cap, that was great", "en", "No cap"), ("She ghosted me", "en", "ghosted"),
      ("Are you watching the Super Bowl?", "en-US", "Super Bowl"),
      ("Speak of the devil! Break a leg!", "en", "Speak of the devil"),
      ("Break a leg! Speak of the devil!", "en", "Break a leg"),
      ("You can't have your cake and eat it too", "en", "have your cake and eat it too"),
      ("In bocca al lupo per domani!", "it", "In bocca al lupo"),
      ("A Ferragosto siamo al mare", "it-CH", "Ferragosto"),
      ("¿Me estás tomando el pelo?", "es", "Me estás tomando el pelo"),
      ("Esta lloviendo a cantaros", "es", "lloviendo a cantaros"),
      ("Il m'a posé un lapin", "fr", "posé un lapin"),
      ("Que saudade de casa", "pt-BR", "saudade"),
      ("Sehr geehrte Damen und Herren,", "de", "Sehr geehrte Damen und Herren"),
      ("Ich verstehe nur Bahnhof.", "de", "verstehe nur Bahnhof"),
      ("Break a leg!", nil, "Break a leg"), ("Break a leg!", "it", nil),
      ("Break a leg!", "ja", nil), ("In bocca al lupo", "en", nil), ("", "en", nil),
      ("break\u{202E} a leg", "en", nil), ("breaka leg", "en", nil), ("break a legend", "en", nil),
      ("Breák a leg", "en", "Breák a leg"),
      ("break a l" + String(repeating: "e\u{301}", count: 1) + "g", "en", "break a lég"),
    ] as [(String, String?, String?)]
  )
  func `the first idiom of the message's language is found`(
    text: String,
    language: String?,
    piece: String?
  ) {
    #expect(lexicon.firstMatch(in: text, language: language)?.piece == piece)
  }

  @Test(arguments: [
    (
      "en",
      #""In bocca al lupo" is an idiom in Italian and means: good luck; the usual answer is "crepi"."#
        + " In English people say: Break a leg."
    ),
    (
      "de",
      #""In bocca al lupo" ist eine Redewendung im Italienischen und bedeutet: viel Glück; "#
        + "die übliche Antwort ist „crepi“. Auf Deutsch sagt man: Hals- und Beinbruch."
    ),
    ("it-IT", #""In bocca al lupo" è un modo di dire italiano e significa: buona fortuna."#),
  ])
  func `the reader gets the meaning, and an equivalent if there is one`(
    reader: String,
    explanation: String
  ) {
    let answer = engine.output(
      ModelRequests.analysis("In bocca al lupo!", language: "it", reader: reader),
      ModelRequests.analysisSchema
    )
    #expect(answer["explanation"]?.string == explanation)
  }

  @Test(arguments: [
    ("She ghosted me", "es", #""ghosted" es argot inglés y significa: "#),
    ("Happy Thanksgiving", "fr", #""Thanksgiving" est une référence culturelle en anglais : "#),
    (
      "Yours sincerely", "pt", #""Yours sincerely" é uma fórmula de cortesia em inglês e significa"#
    ),
    ("No cap", "it", #""No cap" è un'espressione del gergo inglese e significa: "#),
  ])
  func `the explanation names the kind of expression`(
    text: String,
    reader: String,
    start: String
  ) {
    let answer = engine.output(
      ModelRequests.analysis(text, reader: reader),
      ModelRequests.analysisSchema
    )
    #expect(answer["explanation"]?.string?.hasPrefix(start) == true)
  }
}
