extension IdiomLexicon {
  /// English idioms for actions.
  static let englishActions = #"""
    en idiom high: {spill,spills,spilled,spilt,spilling} the beans
      unless before: on, onto, all, everywhere, into
      means: to reveal a secret | revelar un secreto | rivelare un segreto | révéler un secret | revelar um segredo | ein Geheimnis verraten
      like: - | irse de la lengua | vuotare il sacco | vendre la mèche | dar com a língua nos dentes | die Katze aus dem Sack lassen

    en idiom high: {let,lets,letting} the cat out of the bag / the cat is out of the bag / the cat's out of the bag
      means: to reveal a secret by mistake | revelar un secreto sin querer | rivelare un segreto per sbaglio | révéler un secret par erreur | revelar um segredo sem querer | versehentlich ein Geheimnis verraten
      like: - | descubrir el pastel | vuotare il sacco | vendre la mèche | dar com a língua nos dentes | die Katze aus dem Sack lassen

    en idiom high: {pull,pulls,pulled,pulling} {my,your,his,her,our,their} leg
      means: to joke with somebody | bromear con alguien | scherzare con qualcuno | plaisanter avec quelqu'un | brincar com alguém | mit jemandem scherzen
      like: - | tomar el pelo | prendere in giro | faire marcher quelqu'un | - | jemanden auf den Arm nehmen

    en idiom high: {kill,kills,killed,killing} two birds with one stone
      means: to reach two aims at once | lograr dos cosas a la vez | ottenere due cose insieme | atteindre deux buts à la fois | conseguir duas coisas ao mesmo tempo | zwei Ziele auf einmal erreichen
      like: - | matar dos pájaros de un tiro | prendere due piccioni con una fava | faire d'une pierre deux coups | matar dois coelhos com uma cajadada só | zwei Fliegen mit einer Klappe schlagen

    en idiom medium: {hit,hits,hitting} the nail on the head
      means: to say exactly what is right | decir exactamente lo acertado | dire esattamente la cosa giusta | dire exactement ce qui est juste | dizer exatamente o que é certo | genau das Richtige sagen
      like: - | dar en el clavo | cogliere nel segno | taper dans le mille | acertar em cheio | den Nagel auf den Kopf treffen

    en idiom high: {bite,bites,bit,biting} the bullet
      means: to do something unpleasant bravely | hacer algo desagradable con valor | affrontare con coraggio una cosa spiacevole | affronter courageusement une chose pénible | enfrentar com coragem algo desagradável | etwas Unangenehmes tapfer tun
      like: - | hacer de tripas corazón | stringere i denti | serrer les dents | - | in den sauren Apfel beißen

    en idiom medium: {call,calling,called} it a day
      means: to stop working for today | dejar de trabajar por hoy | smettere di lavorare per oggi | arrêter le travail pour aujourd'hui | parar de trabalhar por hoje | für heute mit der Arbeit aufhören
      like: - | - | - | - | - | Feierabend machen

    en idiom high: {hit,hits,hitting} the {sack,hay}
      unless before: with, hard, bales, bale
      means: to go to bed | irse a la cama | andare a letto | aller se coucher | ir para a cama | ins Bett gehen
      like: - | irse al sobre | - | aller au pieu | - | sich aufs Ohr hauen

    en idiom high: {burn,burns,burned,burnt,burning} the midnight oil
      means: to work late into the night | trabajar hasta muy tarde por la noche | lavorare fino a notte fonda | travailler jusque tard dans la nuit | trabalhar até altas horas da noite | bis spät in die Nacht arbeiten
      like: - | quemarse las pestañas | - | - | queimar as pestanas | die Nacht zum Tag machen

    en idiom high: {bite,bites,bit,bitten,biting} off more than {I,you,he,she,we,they} {can,could} chew
      means: to take on too much | asumir demasiado | assumersi troppo | se charger de trop de choses | assumir coisas demais | sich zu viel vornehmen
      like: - | quien mucho abarca, poco aprieta | fare il passo più lungo della gamba | avoir les yeux plus gros que le ventre | dar um passo maior que a perna | -

    en idiom medium: {add,adds,added,adding} fuel to the {fire,flames}
      means: to make a quarrel worse | empeorar una discusión | peggiorare una lite | aggraver une dispute | piorar uma briga | einen Streit verschlimmern
      like: - | echar leña al fuego | gettare benzina sul fuoco | jeter de l'huile sur le feu | pôr lenha na fogueira | Öl ins Feuer gießen

    en idiom high: {beat,beats,beating} {around,about} the bush
      means: to avoid the main point | evitar el tema principal | evitare l'argomento principale | éviter le sujet principal | evitar o assunto principal | nicht zur Sache kommen
      like: - | andarse por las ramas | menare il can per l'aia | tourner autour du pot | fazer rodeios | um den heißen Brei herumreden

    en idiom medium: {cut,cuts,cutting} to the chase
      means: to come straight to the point | ir directo a lo importante | venire subito al punto | en venir tout de suite à l'essentiel | ir direto ao que importa | ohne Umschweife zum Wesentlichen kommen
      like: - | ir al grano | venire al sodo | aller droit au but | ir direto ao ponto | zur Sache kommen

    en idiom medium: {bend,bends,bent,bending} over backwards {to,for}
      means: to try very hard to help | esforzarse mucho por ayudar | fare di tutto per aiutare | tout faire pour aider | fazer de tudo para ajudar | sich sehr viel Mühe geben, um zu helfen
      like: - | desvivirse por alguien | farsi in quattro | se mettre en quatre | - | sich ein Bein ausreißen

    en idiom medium: {bark,barks,barked,barking} up the wrong tree
      means: to look in the wrong place or blame the wrong person | buscar en el lugar equivocado o culpar a quien no es | cercare nel posto sbagliato o accusare chi non c'entra | chercher au mauvais endroit ou accuser la mauvaise personne | procurar no lugar errado ou culpar a pessoa errada | am falschen Ort suchen oder den Falschen beschuldigen
      like: - | errar el tiro | essere fuori strada | faire fausse route | bater na porta errada | auf dem Holzweg sein

    en idiom medium: {break,breaks,broke,breaking} the ice
      unless before: on, off, under, in, into, cubes, and, from
      means: to ease the first awkward moments | romper la tensión del principio | sciogliere l'imbarazzo iniziale | dissiper la gêne du début | desfazer o constrangimento inicial | die erste Verlegenheit lösen
      like: - | romper el hielo | rompere il ghiaccio | briser la glace | quebrar o gelo | das Eis brechen

    en idiom low: {keep,keeps,kept,keeping} an eye on
      means: to watch something carefully | vigilar algo con atención | sorvegliare qualcosa con attenzione | surveiller attentivement | vigiar algo com atenção | gut auf etwas aufpassen
      like: - | no perder de vista | tenere d'occhio | garder un œil sur quelque chose | ficar de olho | im Auge behalten

    en idiom high: {play,plays,played,playing} it by ear
      means: to decide as things happen, without a plan | decidir sobre la marcha, sin plan | decidere al momento, senza un piano | décider au fur et à mesure, sans plan | decidir na hora, sem plano | ohne Plan entscheiden, wie es sich ergibt
      like: - | improvisar sobre la marcha | - | - | dançar conforme a música | es auf sich zukommen lassen

    en idiom medium: {have,having} {your,my,his,her,our,their} cake and eat it / {have,having} {your,my,his,her,our,their} cake and eat it too
      means: to want two things that exclude each other | querer dos cosas incompatibles | volere due cose incompatibili | vouloir deux choses incompatibles | querer duas coisas incompatíveis | zwei unvereinbare Dinge wollen
      like: - | estar en misa y repicando | avere la botte piena e la moglie ubriaca | avoir le beurre et l'argent du beurre | - | auf zwei Hochzeiten tanzen

    en idiom medium: {make,makes,made,making} a mountain out of a molehill / {make,makes,made,making} mountains out of molehills
      means: to exaggerate a small problem | exagerar un problema pequeño | esagerare un piccolo problema | exagérer un petit problème | exagerar um problema pequeno | ein kleines Problem übertreiben
      like: - | hacer una montaña de un grano de arena | fare di una mosca un elefante | en faire toute une montagne | fazer tempestade em copo d'água | aus einer Mücke einen Elefanten machen

    en idiom medium: {let me,let's,let us,I'll,going to,want to,need to,have to,should} sleep on it
      means: to decide only the next day | decidir al día siguiente | decidere il giorno dopo | ne décider que le lendemain | decidir só no dia seguinte | erst am nächsten Tag entscheiden
      like: - | consultarlo con la almohada | dormirci su | la nuit porte conseil | consultar o travesseiro | eine Nacht darüber schlafen

    en idiom medium: {throw,throws,threw,throwing,thrown} in the towel
      means: to give up | rendirse | arrendersi | abandonner | desistir | aufgeben
      like: - | tirar la toalla | gettare la spugna | jeter l'éponge | jogar a toalha | das Handtuch werfen

    en idiom low: {hit,hits,hitting} the road
      unless before: with, hard, sign, and
      means: to set off | ponerse en marcha | mettersi in viaggio | se mettre en chemin | partir de viagem | aufbrechen
      like: - | ponerse en camino | mettersi in marcia | prendre la route | pegar a estrada | sich auf den Weg machen
    """#
}
