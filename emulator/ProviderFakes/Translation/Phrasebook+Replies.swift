extension Phrasebook {
  /// Yes and no, agreement, doubt, questions and reactions.
  static let replies = #"""
    Yes | Sí | Sì | Oui | Sim | Ja
    Yes! | ¡Sí! | Sì! | Oui ! | Sim! | Ja!
    No | No | No | Non | Não | Nein
    No! | ¡No! | No! | Non ! | Não! | Nein!
    OK | OK | OK | OK | OK | OK
    OK 👍 | OK 👍 | OK 👍 | OK 👍 | OK 👍 | OK 👍
    Okay | Vale | Va bene | D'accord | Tá bom | Okay
    Of course! | ¡Claro! | Certo! | Bien sûr ! | Claro! | Natürlich!
    Of course not! | ¡Claro que no! | Certo che no! | Bien sûr que non ! | Claro que não! | Natürlich nicht!
    Sure! | ¡Claro! | Certo! | Bien sûr ! | Claro! | Klar!
    Sure, why not? | Claro, ¿por qué no? | Certo, perché no? | Oui, pourquoi pas ? | Claro, por que não? | Klar, warum nicht?
    Sounds good! | ¡Suena bien! | Mi sembra perfetto! | Ça marche ! | Parece bom! | Klingt gut!
    Great! | ¡Genial! | Ottimo! | Super ! | Ótimo! | Super!
    Great idea! | ¡Qué buena idea! | Ottima idea! | Bonne idée ! | Ótima ideia! | Gute Idee!
    Perfect! | ¡Perfecto! | Perfetto! | Parfait ! | Perfeito! | Perfekt!
    Perfect! 👌 | ¡Perfecto! 👌 | Perfetto! 👌 | Parfait ! 👌 | Perfeito! 👌 | Perfekt! 👌
    Awesome! | ¡Increíble! | Fantastico! | Génial ! | Incrível! | Fantastisch!
    Cool! | ¡Qué guay! | Che figata! | Trop bien ! | Que legal! | Cool!
    Deal! | ¡Trato hecho! | Affare fatto! | Marché conclu ! | Combinado! | Abgemacht!
    Exactly! | ¡Exacto! | Esatto! | Exactement ! | Exatamente! | Genau!
    You're right. | Tienes razón. | Hai ragione. | Tu as raison. | Você tem razão. | Du hast recht.
    I agree. | Estoy de acuerdo. | Sono d'accordo. | Je suis d'accord. | Concordo. | Ich bin einverstanden.
    I don't think so. | No creo. | Non credo. | Je ne crois pas. | Acho que não. | Ich glaube nicht.
    I think so. | Creo que sí. | Credo di sì. | Je crois que oui. | Acho que sim. | Ich glaube schon.
    I hope so! | ¡Eso espero! | Lo spero! | J'espère ! | Espero que sim! | Ich hoffe es!
    Maybe. | Quizás. | Forse. | Peut-être. | Talvez. | Vielleicht.
    Maybe later. | Quizás más tarde. | Magari più tardi. | Peut-être plus tard. | Talvez mais tarde. | Vielleicht später.
    It depends. | Depende. | Dipende. | Ça dépend. | Depende. | Kommt drauf an.
    I don't know. | No lo sé. | Non lo so. | Je ne sais pas. | Não sei. | Ich weiß nicht.
    I don't know yet. | Todavía no lo sé. | Non lo so ancora. | Je ne sais pas encore. | Ainda não sei. | Ich weiß es noch nicht.
    I don't care. | Me da igual. | Non mi importa. | Ça m'est égal. | Tanto faz. | Ist mir egal.
    I understand. | Entiendo. | Capisco. | Je comprends. | Entendo. | Ich verstehe.
    I don't understand. | No entiendo. | Non capisco. | Je ne comprends pas. | Não entendo. | Ich verstehe nicht.
    Got it! | ¡Entendido! | Capito! | Compris ! | Entendi! | Alles klar!
    What do you mean? | ¿Qué quieres decir? | Cosa intendi? | Qu'est-ce que tu veux dire ? | O que você quer dizer? | Was meinst du?
    What do you think? | ¿Qué te parece? | Che ne pensi? | Qu'en penses-tu ? | O que você acha? | Was meinst du dazu?
    What happened? | ¿Qué ha pasado? | Cos'è successo? | Qu'est-ce qui s'est passé ? | O que aconteceu? | Was ist passiert?
    What is it? | ¿Qué es? | Che cos'è? | C'est quoi ? | O que é? | Was ist das?
    Why? | ¿Por qué? | Perché? | Pourquoi ? | Por quê? | Warum?
    Why not? | ¿Por qué no? | Perché no? | Pourquoi pas ? | Por que não? | Warum nicht?
    Who? | ¿Quién? | Chi? | Qui ? | Quem? | Wer?
    Where? | ¿Dónde? | Dove? | Où ? | Onde? | Wo?
    When? | ¿Cuándo? | Quando? | Quand ? | Quando? | Wann?
    How? | ¿Cómo? | Come? | Comment ? | Como? | Wie?
    How much is it? | ¿Cuánto cuesta? | Quanto costa? | C'est combien ? | Quanto custa? | Wie viel kostet das?
    Can you help me? | ¿Me puedes ayudar? | Puoi aiutarmi? | Tu peux m'aider ? | Você pode me ajudar? | Kannst du mir helfen?
    Really? | ¿De verdad? | Davvero? | Vraiment ? | Sério? | Echt?
    Are you sure? | ¿Estás seguro? | Sei sicuro? | Tu es sûr ? | Tem certeza? | Bist du sicher?
    Are you serious? | ¿Hablas en serio? | Dici sul serio? | Tu es sérieux ? | Tá falando sério? | Im Ernst?
    Just kidding! | ¡Es broma! | Scherzo! | Je rigole ! | Brincadeira! | War nur Spaß!
    Just kidding! 😂 | ¡Es broma! 😂 | Scherzo! 😂 | Je rigole ! 😂 | Brincadeira! 😂 | War nur Spaß! 😂
    That's funny! | ¡Qué gracioso! | Che ridere! | C'est drôle ! | Que engraçado! | Das ist lustig!
    I can't believe it! | ¡No me lo puedo creer! | Non ci posso credere! | Je n'y crois pas ! | Não acredito! | Ich kann es nicht glauben!
    That's great news! | ¡Qué buena noticia! | Che bella notizia! | Quelle bonne nouvelle ! | Que ótima notícia! | Das sind tolle Neuigkeiten!
    What a pity! | ¡Qué pena! | Che peccato! | Quel dommage ! | Que pena! | Wie schade!
    That's a shame. | Es una pena. | È un peccato. | C'est dommage. | É uma pena. | Das ist schade.
    Finally! | ¡Por fin! | Finalmente! | Enfin ! | Finalmente! | Endlich!
    Good question! | ¡Buena pregunta! | Bella domanda! | Bonne question ! | Boa pergunta! | Gute Frage!
    Let me think about it. | Déjame pensarlo. | Fammici pensare. | Laisse-moi réfléchir. | Deixa eu pensar. | Lass mich darüber nachdenken.
    As you like. | Como quieras. | Come vuoi. | Comme tu veux. | Como quiser. | Wie du willst.
    """#
}
