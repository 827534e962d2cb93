extension ReplyBook {
  /// Greetings, farewells, compliments and replies that fit any message.
  static let smallTalk = #"""
    # greeting 👋
    en: hi / hello / hey / hiya / good morning / good afternoon / good evening
    es: hola / buenas / buenos días / buenas tardes
    it: ciao / ehi / salve / buongiorno / buonasera / buon pomeriggio
    fr: salut / bonjour / bonsoir / coucou
    pt: oi / olá / e aí / bom dia / boa tarde
    de: hallo / hi / hey / guten morgen / guten tag / guten abend / moin / servus / grüß dich
    Hi! How are you? | ¡Hola! ¿Cómo estás? | Ciao! Come stai? | Salut ! Comment ça va ? | Oi! Tudo bem? | Hi! Wie geht's dir?
    Hey, nice to hear from you! | ¡Hola, qué alegría saber de ti! | Ehi, che bello sentirti! | Coucou, ça fait plaisir de te lire ! | Oi, que bom falar com você! | Hey, schön, von dir zu hören!
    Hello! What's new? | ¡Hola! ¿Qué hay de nuevo? | Ciao! Che c'è di nuovo? | Salut ! Quoi de neuf ? | Olá! Quais as novidades? | Hallo! Was gibt's Neues?

    # howAreYou 😊
    en: how are you / how are things / how's it going / how is it going / how do you do / what's up / how have you been / how's life / are you ok / are you okay
    es: cómo estás / cómo estáis / cómo está / qué tal / cómo te va / cómo va todo / qué pasa / estás bien
    it: come stai / come state / come sta / come va / come ti va / tutto bene / stai bene
    fr: comment ça va / ça va / comment vas-tu / comment tu vas / comment allez-vous / tu vas bien / quoi de neuf
    pt: como vai / como você está / como está / tudo bem / tudo bom / como vão as coisas / beleza
    de: wie geht's / wie geht es dir / wie geht es euch / wie geht es ihnen / wie geht's dir / wie läuft's / geht's dir gut / alles klar bei dir
    I'm fine, thanks! And you? | ¡Bien, gracias! ¿Y tú? | Bene, grazie! E tu? | Ça va bien, merci ! Et toi ? | Tudo bem! E você? | Mir geht's gut, danke! Und dir?
    A bit tired, but fine. | Algo de cansancio, pero bien. | Un po' di stanchezza, ma bene. | Un peu de fatigue, mais ça va. | Com um pouco de cansaço, mas bem. | Etwas müde, aber gut.
    Busy as always! How about you? | ¡Con mil cosas, como siempre! ¿Y tú? | Mille cose da fare, come sempre! E tu? | Toujours mille choses à faire ! Et toi ? | Na correria de sempre! E você? | Viel zu tun, wie immer! Und bei dir?

    # goodbye 👋
    en: bye / goodbye / bye bye / see you / see ya / good night / talk to you later / talk soon / take care / have a good day / have a nice day / have a great day / have a good weekend / have a nice weekend / have a great weekend / sleep well
    es: adiós / hasta luego / hasta mañana / hasta pronto / nos vemos / buenas noches / chao / cuídate / que tengas un buen día / buen fin de semana / que descanses
    it: arrivederci / a domani / a dopo / a presto / ci vediamo / ci sentiamo / buonanotte / buona notte / stammi bene / buona giornata / buon fine settimana / buon weekend / dormi bene
    fr: au revoir / à demain / à bientôt / à plus / à plus tard / à tout à l'heure / bonne nuit / bonne journée / bonne soirée / bon week-end / prends soin de toi / dors bien
    pt: tchau / até logo / até amanhã / até mais / até breve / a gente se vê / boa noite / se cuida / tenha um bom dia / bom fim de semana / dorme bem
    de: tschüss / tschüs / auf wiedersehen / bis morgen / bis bald / bis später / bis dann / wir sehen uns / gute nacht / mach's gut / schönen tag noch / schönes wochenende / schlaf gut / ciao
    See you soon! | ¡Hasta pronto! | A presto! | À bientôt ! | Até breve! | Bis bald!
    Take care! | ¡Cuídate! | Stammi bene! | Prends soin de toi ! | Se cuida! | Pass auf dich auf!
    Bye, talk to you later! | ¡Chao, hablamos luego! | Ciao, ci sentiamo dopo! | Salut, on se parle plus tard ! | Tchau, a gente se fala! | Tschüss, wir hören uns!

    # compliment 🥰
    en: love you / i miss you / miss you / you're the best / you are the best / you're amazing / you're awesome / you look great / you look amazing / nice photo / great photo / beautiful photo / proud of you / well done / great job / good job / love your
    es: te quiero / te amo / te echo de menos / te extraño / eres el mejor / eres la mejor / eres genial / eres lo máximo / qué guapo / qué guapa / bonita foto / me encanta tu / bien hecho / buen trabajo / orgulloso de ti / orgullosa de ti
    it: ti amo / ti voglio bene / mi manchi / sei il migliore / sei la migliore / sei fantastico / sei fantastica / sei il massimo / sei un tesoro / che bello sei / sei bellissima / sei bellissimo / bella foto / ben fatto / ottimo lavoro / fiero di te / fiera di te
    fr: je t'aime / tu me manques / tu es le meilleur / tu es la meilleure / tu es génial / tu es géniale / t'es génial / t'es géniale / tu es belle / tu es beau / jolie photo / belle photo / j'adore ton / j'adore ta / bien joué / beau travail / fier de toi / fière de toi
    pt: te amo / amo você / sinto sua falta / saudade de você / saudades de você / você é demais / você é incrível / você é o melhor / você é a melhor / linda foto / foto linda / adorei sua / adorei seu / muito bem / bom trabalho / orgulho de você
    de: ich liebe dich / hab dich lieb / ich vermisse dich / vermisse dich / du bist der beste / du bist die beste / du bist toll / du bist super / du bist der hammer / du siehst toll aus / schönes foto / tolles foto / stolz auf dich / gut gemacht / gute arbeit
    You're so sweet! | ¡Qué encanto eres! | Che carino da parte tua! | C'est trop gentil ! | Que fofo da sua parte! | Wie lieb von dir!
    That means a lot to me. | Significa mucho para mí. | Per me significa molto. | Ça me touche beaucoup. | Isso significa muito para mim. | Das bedeutet mir viel.
    Right back at you! | ¡Lo mismo digo! | Lo stesso vale per te! | Pareil pour toi ! | Digo o mesmo! | Das gebe ich gern zurück!

    # other 🙂
    Okay, got it! | ¡Vale, entendido! | Va bene, capito! | D'accord, compris ! | Tá bom, entendi! | Okay, alles klar!
    Really? Tell me more! | ¿De verdad? ¡Cuéntame más! | Davvero? Raccontami di più! | C'est vrai ? Raconte ! | Sério? Me conta mais! | Echt? Erzähl mir mehr!
    Let me think about it. | Déjame pensarlo. | Fammici pensare. | Laisse-moi y réfléchir. | Deixa eu pensar. | Lass mich darüber nachdenken.
    """#
}
