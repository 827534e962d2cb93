/// The phrases by which people ask about, make and accept proposals, in six languages.
enum DecisionWords {
  /// The phrases of questions about decisions.
  static let asking = index(
    #"""
    decide / decided / decision / agree / agreed / agree on / agreed on / settle / settled
    decidir / decidido / decidimos / decidieron / decidió / decisión / acordado / acordamos / acuerdo
    deciso / decidere / decidono / decisione / accordo / accordati / d'accordo
    décider / décidé / décidée / décision / convenu / d'accord / accord
    decidiu / decidiram / decisão / combinado / combinamos / combinaram / acordo
    entschieden / entscheiden / entscheidung / beschlossen / geeinigt / vereinbart / ausgemacht / einig
    """#
  )

  /// The phrases of messages that accept a proposal.
  static let agreeing = index(
    #"""
    ok / okay / deal / agreed / sounds good / sounds great / perfect / works for me / fine by me / good idea / great idea / sure / yes / yep / see you then / see you there / i'm in
    vale / de acuerdo / trato hecho / perfecto / me viene bien / me parece bien / buena idea / claro / sí / me apunto
    va bene / d'accordo / affare fatto / perfetto / ci sto / per me va bene / buona idea / ottima idea / certo / sì
    d'accord / ça marche / parfait / ça me va / bonne idée / bien sûr / oui / entendu
    tá bom / combinado / fechado / perfeito / para mim está bom / boa ideia / ótima ideia / claro / sim / beleza
    einverstanden / abgemacht / passt / perfekt / gute idee / klar / ja / alles klar / in ordnung
    """#
  )

  /// The phrases of messages that make a proposal.
  static let proposing = index(
    #"""
    let's / shall we / how about / what about / why don't we / we could / i suggest / i propose
    qué tal / por qué no / propongo / podríamos / podemos / quedamos
    che ne dici / perché non / propongo / potremmo / possiamo / facciamo / andiamo / vediamoci / mangiamo
    et si / on pourrait / pourquoi pas / je propose / on se retrouve / on se voit / allons
    que tal / por que não / proponho / podíamos / podemos / vamos
    wie wäre / lass uns / wollen wir / ich schlage vor / wir könnten / treffen wir uns
    """#
  )

  private static func index(_ table: String) -> PhraseIndex<Bool> {
    var index = PhraseIndex<Bool>()
    for phrase in table.split(separator: "\n").flatMap({ $0.split(separator: " / ") }) {
      index.insert(phrase, meaning: true)
    }
    return index
  }
}
