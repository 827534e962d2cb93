extension FallbackReplies {
  static let spanish = FallbackReplies(
    question: ["Sí, creo que sí.", "Todavía no lo sé.", "Lo confirmo más tarde."],
    thanks: ["¡De nada!", "¡Con mucho gusto!", "¡No hay problema!"],
    greeting: ["¡Hola!", "¡Hola! ¿Qué tal?", "¡Hola! ¿Qué hay de nuevo?"],
    plan: ["¡Suena bien!", "Lamentablemente no puedo.", "Lo miro y lo confirmo."],
    other: ["¡De acuerdo!", "Entiendo."],
    cues: Cues(
      thanks: "gracias",
      greeting: "hola, buenos días, buenas tardes, buenas noches",
      plan: "vamos, quedamos, quieres ir, quieres venir, te apetece, vienes"
    )
  )

  static let italian = FallbackReplies(
    question: ["Sì, penso di sì.", "Non lo so ancora.", "Faccio sapere più tardi."],
    thanks: ["Prego!", "È stato un piacere!", "Non c'è problema!"],
    greeting: ["Ciao!", "Ciao, come va?", "Ciao, che c'è di nuovo?"],
    plan: ["Mi sembra una buona idea!", "Purtroppo non posso.", "Controllo e confermo."],
    other: ["Va bene!", "Capisco."],
    cues: Cues(
      thanks: "grazie",
      greeting: "ciao, buongiorno, buonasera, salve, ehi",
      plan: "andiamo, ci vediamo, vediamoci, ti va, vieni"
    )
  )

  static let french = FallbackReplies(
    question: ["Oui, je pense que oui.", "Je ne sais pas encore.", "Je confirme plus tard."],
    thanks: ["De rien !", "Avec plaisir !", "Pas de problème !"],
    greeting: ["Bonjour !", "Bonjour, comment ça va ?", "Bonjour, quoi de neuf ?"],
    plan: ["Ça me va !", "Malheureusement, je ne peux pas.", "Je vérifie et je confirme."],
    other: ["D'accord !", "Je comprends."],
    cues: Cues(
      thanks: "merci",
      greeting: "bonjour, salut, bonsoir, coucou",
      plan: "on se voit, on y va, ça te dit, tu viens, on se retrouve"
    )
  )

  static let portuguese = FallbackReplies(
    question: ["Sim, acho que sim.", "Ainda não sei.", "Confirmo mais tarde."],
    thanks: ["De nada!", "Foi um prazer!", "Sem problema!"],
    greeting: ["Olá!", "Olá, tudo bem?", "Olá, quais são as novidades?"],
    plan: ["Boa ideia!", "Infelizmente não posso.", "Vou verificar e confirmo."],
    other: ["Está bem!", "Entendo."],
    cues: Cues(
      thanks: "obrigado, obrigada, valeu",
      greeting: "oi, olá, bom dia, boa tarde, boa noite",
      plan: "vamos, quer ir, quer vir, vens"
    )
  )

  static let romanian = FallbackReplies(
    question: ["Da, cred că da.", "Încă nu știu.", "Revin mai târziu."],
    thanks: ["Cu plăcere!", "A fost plăcerea mea!", "Nicio problemă!"],
    greeting: ["Bună!", "Bună, cum merge?", "Bună, ce mai e nou?"],
    plan: ["Sună bine!", "Din păcate nu pot.", "Verific și confirm."],
    other: ["Bine!", "Înțeleg."],
    cues: Cues(
      thanks: "mulțumesc, mersi",
      greeting: "bună, salut, bună dimineața, bună ziua",
      plan: "hai, mergem, vii"
    )
  )

  static let catalan = FallbackReplies(
    question: ["Sí, crec que sí.", "Encara no ho sé.", "Ho confirmo més tard."],
    thanks: ["De res!", "Amb molt de gust!", "Cap problema!"],
    greeting: ["Hola!", "Hola, com va?", "Hola, què hi ha de nou?"],
    plan: ["Sona bé!", "Malauradament no puc.", "Ho miro i ho confirmo."],
    other: ["D'acord!", "Ho entenc."],
    cues: Cues(
      thanks: "gràcies, merci",
      greeting: "hola, bon dia, bona tarda, bona nit",
      plan: "quedem, anem, vols venir, vens"
    )
  )
}
