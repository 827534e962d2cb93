extension ReplyBook {
  /// Meetings, times and requests.
  static let plans = #"""
    # invitation 😊
    en: would you like to / do you want to / wanna / let's / shall we / care to / fancy a / come over / join us / join me / you're invited / you are invited / how about dinner / how about lunch / how about coffee / how about a / are you free / want to grab / want to go / want to come / up for
    es: te apetece / os apetece / quieres venir / quieres ir / quieres cenar / quieres comer / quieres tomar / te gustaría / vamos a cenar / vamos a comer / vamos a tomar / vamos al / te invito / os invito / te vienes / quedamos / estás libre / por qué no vamos
    it: ti va di / vi va di / ti va una / ti va un / vuoi venire / vuoi andare / vuoi cenare / ti andrebbe / ti piacerebbe / andiamo a / andiamo al / ti invito / vi invito / vieni a / vieni da / vediamoci / incontriamoci / usciamo / sei libero / sei libera / ci vediamo per
    fr: tu veux venir / tu veux aller / veux-tu / ça te dit / ça vous dit / ça te dirait / tu as envie / t'as envie / on va au / on va à la / allons au / allons à la / allons dîner / allons manger / allons boire / allons nous / je t'invite / je vous invite / tu viens / viens chez / on se voit pour / on se retrouve / tu es libre / t'es libre / envie d'un / envie d'une
    pt: quer ir / quer vir / quer jantar / quer almoçar / quer sair / vamos ao / vamos à / vamos jantar / vamos almoçar / vamos tomar / vamos sair / vem jantar / topa / te convido / que tal um / que tal uma / bora / você está livre / tá livre / gostaria de
    de: hast du lust / habt ihr lust / möchtest du / willst du mit / wollen wir / lass uns / kommst du mit / kommst du zu / komm doch / ich lade dich ein / ich lade euch ein / gehen wir / treffen wir uns / hast du zeit / wie wäre es mit / wie wär's mit / bist du frei
    Sounds great, I'm in! | ¡Suena genial, me apunto! | Ottima idea, ci sto! | Super idée, ça me tente ! | Ótima ideia, eu topo! | Klingt super, ich bin dabei!
    I'd love to! What time? | ¡Me encantaría! ¿A qué hora? | Volentieri! A che ora? | Avec plaisir ! À quelle heure ? | Adoraria! A que horas? | Sehr gern! Um wie viel Uhr?
    I can't this time, sorry. | Esta vez no puedo, lo siento. | Stavolta non posso, mi dispiace. | Pas cette fois, je ne peux pas. | Desta vez não posso, sinto muito. | Diesmal kann ich leider nicht.

    # timeProposal 👍
    en: at # / around # / by # / # o'clock / at noon / at midnight / what time / does tomorrow work / does monday work / does friday work / how about tomorrow / how about tonight / how about monday / how about friday / how about saturday / how about sunday / half past
    es: a las # / a la # / sobre las # / a mediodía / a qué hora / te viene bien / os viene bien / qué tal mañana / mejor mañana / a las ocho / a las nueve / a las siete
    it: alle # / all'# / verso le # / per le # / a mezzogiorno / a che ora / ti va bene / vi va bene / che ne dici di domani / facciamo domani / alle otto / alle nove / alle sette
    fr: à # / vers # / pour # h / à midi / à quelle heure / ça te va / ça vous va / demain ça te va / plutôt demain / à huit heures / à neuf heures / à sept heures
    pt: às # / à # / lá pelas # / ao meio-dia / a que horas / que horas / fica bom / está bom para você / pode ser amanhã / que tal amanhã / às oito / às nove / às sete
    de: um # / gegen # / # uhr / um wie viel uhr / wann passt / passt es dir / passt dir / passt euch / passt das / wie wäre es morgen / um acht / um neun / um sieben
    That works for me. | Me viene bien. | Per me va bene. | Ça me va. | Para mim está bom. | Das passt mir.
    Perfect, see you then! | ¡Perfecto, nos vemos! | Perfetto, a dopo! | Parfait, à tout à l'heure ! | Perfeito, até lá! | Perfekt, bis dann!
    Could we make it a bit later? | ¿Podría ser un poco más tarde? | Possiamo fare un po' più tardi? | On peut faire un peu plus tard ? | Pode ser um pouco mais tarde? | Geht es auch etwas später?

    # lateness 😉
    en: running late / i'm late / i'll be late / be a bit late / be a little late / going to be late / gonna be late / minutes late / stuck in traffic / missed the bus / missed the train / missed my train / on my way / almost there / traffic jam
    es: llego tarde / llegaré tarde / voy tarde / voy con retraso / me retraso / atasco / perdido el autobús / perdido el tren / voy de camino / ya casi llego / estoy llegando
    it: in ritardo / faccio tardi / farò tardi / arrivo tardi / bloccato nel traffico / bloccata nel traffico / perso il treno / perso l'autobus / sto arrivando / quasi arrivato / quasi arrivata
    fr: en retard / du retard / coincé dans les bouchons / coincée dans les bouchons / embouteillage / embouteillages / raté le bus / raté mon bus / raté le train / raté mon train / j'arrive / suis en route
    pt: atrasado / atrasada / vou me atrasar / vou chegar tarde / preso no trânsito / presa no trânsito / engarrafamento / perdi o ônibus / perdi o trem / a caminho / quase chegando
    de: verspäte / verspätung / spät dran / komme später / komme zu spät / im stau / bus verpasst / zug verpasst / bin unterwegs / gleich da / fast da
    No problem, take your time. | No pasa nada, tómate tu tiempo. | Nessun problema, fai con calma. | Pas de problème, prends ton temps. | Sem problema, vem com calma. | Kein Problem, lass dir Zeit.
    Okay, see you soon! | Vale, ¡hasta ahora! | Va bene, a tra poco! | D'accord, à tout de suite ! | Tudo bem, até já! | Okay, bis gleich!
    I'll wait for you here. | Te espero aquí. | Ti aspetto qui. | Je t'attends ici. | Te espero aqui. | Ich warte hier auf dich.

    # helpRequest 💪
    en: help me / can you help / could you help / need help / need your help / need a hand / give me a hand / do me a favor / do me a favour / a favor to ask
    es: ayudarme / me ayudas / me puedes ayudar / puedes ayudarme / necesito ayuda / necesito tu ayuda / échame una mano / me echas una mano / hazme un favor / me haces un favor / pedirte un favor
    it: aiutarmi / mi aiuti / mi puoi aiutare / puoi aiutarmi / bisogno di aiuto / bisogno d'aiuto / bisogno di una mano / dammi una mano / mi dai una mano / darmi una mano / farmi un favore / fammi un favore / chiederti un favore
    fr: m'aider / aide-moi / aidez-moi / besoin d'aide / besoin de ton aide / besoin de toi / un coup de main / me rendre un service / rends-moi un service
    pt: me ajudar / me ajuda / ajudar-me / preciso de ajuda / preciso da sua ajuda / uma mãozinha / me faz um favor / me fazer um favor / pedir um favor
    de: mir helfen / hilfst du mir / hilf mir / kannst du helfen / brauche hilfe / brauche deine hilfe / einen gefallen
    Of course, what do you need? | Claro, ¿qué necesitas? | Certo, di cosa hai bisogno? | Bien sûr, de quoi as-tu besoin ? | Claro, do que você precisa? | Klar, was brauchst du?
    Sure, give me five minutes. | Claro, dame cinco minutos. | Certo, dammi cinque minuti. | Oui, donne-moi cinq minutes. | Claro, me dá cinco minutos. | Klar, gib mir fünf Minuten.
    I can't right now, but later I can. | Ahora no puedo, pero luego sí. | Adesso non posso, ma più tardi sì. | Là je ne peux pas, mais plus tard oui. | Agora não posso, mas mais tarde sim. | Gerade geht es nicht, aber später.

    # yesNoQuestion 👍
    Yes, sure! | ¡Sí, claro! | Sì, certo! | Oui, bien sûr ! | Sim, claro! | Ja, klar!
    No, I don't think so. | No, no creo. | No, non credo. | Non, je ne crois pas. | Não, acho que não. | Nein, ich glaube nicht.
    I don't know yet, I'll tell you later. | Todavía no lo sé, luego te digo. | Non lo so ancora, ti dico dopo. | Je ne sais pas encore, je te dirai. | Ainda não sei, depois te digo. | Weiß ich noch nicht, ich sag dir Bescheid.

    # openQuestion 🤔
    en: what / when / where / who / why / how / which / whose
    es: qué hay / qué haces / qué hacemos / qué hacéis / qué has / qué es / qué vas / qué vamos / qué quieres / qué piensas / qué te / qué día / qué dijo / qué tengo / cuándo / dónde / quién / quiénes / por qué / cómo / cuál / cuánto / cuánta / cuántos / cuántas
    it: che cosa / cosa / quando / dove / chi / perché / come / quale / quali / quanto / quanti / quante / che ora
    fr: que fais / que faites / que veux / qu'est-ce / quoi / quand / où es / où est / où sont / où on / où tu / où vas / d'où / t'es où / c'est où / es où / qui / pourquoi / comment / quel / quelle / quels / quelles / combien
    pt: o que / quando / onde / quem / por que / por quê / como / qual / quais / quanto / quantos / quantas
    de: was / wann / wo / wer / warum / wieso / wie / welche / welcher / welches / wohin / woher / wem / wen
    Good question! | ¡Buena pregunta! | Bella domanda! | Bonne question ! | Boa pergunta! | Gute Frage!
    Let me check and I'll tell you. | Lo miro y te digo. | Controllo e ti dico. | Je vérifie et je te dis. | Vou ver e te digo. | Ich schau nach und sag dir Bescheid.
    I don't know, sorry. | No lo sé, lo siento. | Non lo so, mi dispiace. | Je ne sais pas, pardon. | Não sei, sinto muito. | Das weiß ich leider nicht.
    """#
}
