extension Phrasebook {
  /// Greetings, small talk and farewells.
  static let greetings = #"""
    Hello | Hola | Ciao | Bonjour | Olá | Hallo
    Hello! | ¡Hola! | Ciao! | Bonjour ! | Olá! | Hallo!
    Hi | Hola | Ciao | Salut | Oi | Hi
    Hi! | ¡Hola! | Ciao! | Salut ! | Oi! | Hi!
    Hi there! | ¡Hola! | Ciao! | Salut ! | Oi! | Hallo!
    Hey! | ¡Ey! | Ehi! | Hé ! | Ei! | Hey!
    Hi everyone! | ¡Hola a todos! | Ciao a tutti! | Salut tout le monde ! | Oi, gente! | Hallo zusammen!
    Good morning! | ¡Buenos días! | Buongiorno! | Bonjour ! | Bom dia! | Guten Morgen!
    Good afternoon! | ¡Buenas tardes! | Buon pomeriggio! | Bonjour ! | Boa tarde! | Guten Tag!
    Good night! | ¡Buenas noches! | Buonanotte! | Bonne nuit ! | Boa noite! | Gute Nacht!
    Good night! 🌙 | ¡Buenas noches! 🌙 | Buonanotte! 🌙 | Bonne nuit ! 🌙 | Boa noite! 🌙 | Gute Nacht! 🌙
    Good evening! | ¡Buenas noches! | Buonasera! | Bonsoir ! | Boa noite! | Guten Abend!
    Sleep well! | ¡Que duermas bien! | Dormi bene! | Dors bien ! | Durma bem! | Schlaf gut!
    Sweet dreams! | ¡Dulces sueños! | Sogni d'oro! | Fais de beaux rêves ! | Bons sonhos! | Träum süß!
    Did you sleep well? | ¿Has dormido bien? | Hai dormito bene? | Tu as bien dormi ? | Dormiu bem? | Hast du gut geschlafen?
    I'm going to bed. | Me voy a dormir. | Vado a letto. | Je vais me coucher. | Vou dormir. | Ich gehe ins Bett.
    How are you? | ¿Cómo estás? | Come stai? | Comment vas-tu ? | Como você está? | Wie geht es dir?
    How's it going? | ¿Qué tal? | Come va? | Ça va ? | Tudo bem? | Wie geht's?
    What's up? | ¿Qué pasa? | Che si dice? | Quoi de neuf ? | E aí? | Was geht?
    What's new? | ¿Qué hay de nuevo? | Che c'è di nuovo? | Quoi de neuf ? | Quais são as novidades? | Was gibt's Neues?
    How was your day? | ¿Qué tal tu día? | Com'è andata la giornata? | Comment s'est passée ta journée ? | Como foi seu dia? | Wie war dein Tag?
    How was your weekend? | ¿Qué tal tu fin de semana? | Com'è andato il fine settimana? | Comment s'est passé ton week-end ? | Como foi seu fim de semana? | Wie war dein Wochenende?
    I'm fine, thanks! | ¡Estoy bien, gracias! | Sto bene, grazie! | Je vais bien, merci ! | Estou bem, obrigado! | Mir geht's gut, danke!
    I'm fine, and you? | Estoy bien, ¿y tú? | Sto bene, e tu? | Je vais bien, et toi ? | Estou bem, e você? | Mir geht's gut, und dir?
    And you? | ¿Y tú? | E tu? | Et toi ? | E você? | Und du?
    Not bad. | No está mal. | Non c'è male. | Pas mal. | Nada mal. | Nicht schlecht.
    Same as always. | Como siempre. | Come al solito. | Comme d'habitude. | O de sempre. | Wie immer.
    Long time no see! | ¡Cuánto tiempo sin verte! | Quanto tempo! | Ça fait longtemps ! | Quanto tempo! | Lange nicht gesehen!
    Nice to meet you! | ¡Encantado de conocerte! | Piacere di conoscerti! | Ravi de te rencontrer ! | Prazer em te conhecer! | Schön, dich kennenzulernen!
    Welcome! | ¡Bienvenido! | Benvenuto! | Bienvenue ! | Bem-vindo! | Willkommen!
    Bye! | ¡Adiós! | Ciao ciao! | Au revoir ! | Tchau! | Tschüss!
    Bye for now! | ¡Hasta luego! | A dopo! | À plus ! | Até mais! | Bis dann!
    See you soon! | ¡Hasta pronto! | A presto! | À bientôt ! | Até breve! | Bis bald!
    See you later! | ¡Hasta luego! | A dopo! | À plus tard ! | Até mais tarde! | Bis später!
    See you tomorrow! | ¡Hasta mañana! | A domani! | À demain ! | Até amanhã! | Bis morgen!
    See you tonight! | ¡Hasta esta noche! | A stasera! | À ce soir ! | Até hoje à noite! | Bis heute Abend!
    See you on Monday! | ¡Hasta el lunes! | A lunedì! | À lundi ! | Até segunda! | Bis Montag!
    Have a nice day! | ¡Que tengas un buen día! | Buona giornata! | Bonne journée ! | Tenha um bom dia! | Schönen Tag noch!
    Have a nice evening! | ¡Que pases una buena noche! | Buona serata! | Bonne soirée ! | Tenha uma boa noite! | Schönen Abend noch!
    Have a nice weekend! | ¡Buen fin de semana! | Buon fine settimana! | Bon week-end ! | Bom fim de semana! | Schönes Wochenende!
    Take care! | ¡Cuídate! | Stammi bene! | Prends soin de toi ! | Se cuida! | Pass auf dich auf!
    Hugs! | ¡Un abrazo! | Un abbraccio! | Gros bisous ! | Abraços! | Fühl dich gedrückt!
    """#
}
