extension IdiomLexicon {
  /// English slang.
  static let englishSlang = #"""
    en slang high: no cap
      unless after: has, have, had, s, with, is, was, there, wore, wearing, re, are, got, say, says
      unless before: on, for, to, in, or, and
      means: honestly, no lie | en serio, sin mentir | sul serio, senza bugie | sérieusement, sans mentir | sério, sem mentira | ehrlich, ohne Lüge
      like: - | - | - | - | - | ungelogen

    en slang high: {ghosted,ghosting} / {ghosts,ghost} {me,you,him,her,us,them}
      unless after: a, the, of
      means: to stop answering somebody without a word | dejar de responder a alguien sin decir nada | smettere di rispondere a qualcuno senza spiegazioni | ne plus répondre à quelqu'un sans explication | parar de responder a alguém sem dizer nada | sich bei jemandem ohne ein Wort nicht mehr melden
      like: - | - | - | - | - | -

    en slang medium: FOMO
      means: the fear of missing something | el miedo a perderse algo | la paura di perdersi qualcosa | la peur de rater quelque chose | o medo de perder alguma coisa | die Angst, etwas zu verpassen
      like: - | - | - | - | - | -

    en slang medium: YOLO
      means: you only live once | solo se vive una vez | si vive una volta sola | on ne vit qu'une fois | só se vive uma vez | man lebt nur einmal
      like: - | - | - | - | - | -

    en slang high: {spill,spilling,spilled} the tea
      unless before: on, all, over, onto, everywhere, cup
      means: to tell the gossip | contar los chismes | raccontare i pettegolezzi | raconter les potins | contar as fofocas | den neuesten Klatsch erzählen
      like: - | - | - | - | - | -

    en slang medium: my bad
      unless before: luck, knee, back, habit, habits, mood, day, dream, dreams, leg, foot, arm, ear, eye, side, english, spanish, italian, french, portuguese, german, handwriting, memory, temper, news, grade, grades, cold, cough, tooth, teeth, shoulder, hip, weather, experience, experiences, eyesight, hearing, decision, decisions, attitude, timing
      means: it was my fault | ha sido culpa mía | è colpa mia | c'est ma faute | foi culpa minha | das war meine Schuld
      like: - | - | - | - | - | mein Fehler

    en slang medium: {throw,throws,threw,throwing} shade at / {throw,throws,threw,throwing} some shade
      means: to criticise somebody with hints | criticar a alguien con indirectas | criticare qualcuno con frecciatine | critiquer quelqu'un à demi-mot | criticar alguém com indiretas | jemanden mit spitzen Bemerkungen kritisieren
      like: - | lanzar una pulla | lanciare una frecciatina | lancer une pique | mandar uma indireta | gegen jemanden sticheln

    en slang low: hangry
      means: irritable because of hunger | irritable por el hambre | irritabile per la fame | irritable à cause de la faim | irritado por causa da fome | gereizt vor Hunger
      like: - | - | - | - | - | -

    en slang low: {binge watch,binge watched,binge watching}
      means: to watch many episodes in a row | ver muchos episodios seguidos | guardare molti episodi di fila | regarder beaucoup d'épisodes à la suite | assistir a muitos episódios seguidos | viele Folgen hintereinander ansehen
      like: - | darse un atracón de series | fare una maratona di serie | - | maratonar | -

    en slang medium: netflix and chill
      means: an invitation to watch a film at home, usually to get close | una invitación a ver una película en casa, por lo general para intimar | un invito a guardare un film a casa, di solito per stare in intimità | une invitation à regarder un film à la maison, en général pour se rapprocher | um convite para ver um filme em casa, em geral para ficar juntinhos | eine Einladung zum Film zu Hause, meist um sich näherzukommen
      like: - | - | - | - | - | -
    """#

  /// Holidays, customs and courtesies of the English-speaking world.
  static let englishCulture = #"""
    en culturalReference high: Super Bowl / Superbowl
      means: the final of the American football season in February, watched at parties | la final de la temporada de fútbol americano en febrero, que se ve en fiestas | la finale del campionato di football americano a febbraio, che si guarda in compagnia | la finale de la saison de football américain en février, regardée entre amis | a final da temporada de futebol americano em fevereiro, vista em festas | das Endspiel der American-Football-Saison im Februar, das man auf Partys ansieht
      like: - | - | - | - | - | -

    en culturalReference high: Thanksgiving
      means: a family holiday with turkey, in November in the United States and in October in Canada | una fiesta familiar con pavo, en noviembre en Estados Unidos y en octubre en Canadá | una festa di famiglia con il tacchino, a novembre negli Stati Uniti e a ottobre in Canada | une fête familiale avec de la dinde, en novembre aux États-Unis et en octobre au Canada | uma festa de família com peru, em novembro nos Estados Unidos e em outubro no Canadá | ein Familienfest mit Truthahn, im November in den USA und im Oktober in Kanada
      like: - | Acción de Gracias | il giorno del Ringraziamento | l'Action de grâce | Ação de Graças | -

    en culturalReference medium: {Fourth,4th} of July
      means: the national holiday of the United States, with barbecues and fireworks | la fiesta nacional de Estados Unidos, con barbacoas y fuegos artificiales | la festa nazionale degli Stati Uniti, con grigliate e fuochi d'artificio | la fête nationale des États-Unis, avec barbecues et feux d'artifice | o feriado nacional dos Estados Unidos, com churrascos e fogos de artifício | der Nationalfeiertag der USA, mit Grillfesten und Feuerwerk
      like: - | - | - | - | - | -

    en culturalReference medium: Boxing Day
      means: the holiday on 26 December in Britain and other countries | el festivo del 26 de diciembre en el Reino Unido y otros países | il giorno festivo del 26 dicembre nel Regno Unito e in altri paesi | le jour férié du 26 décembre au Royaume-Uni et dans d'autres pays | o feriado de 26 de dezembro no Reino Unido e em outros países | der Feiertag am 26. Dezember in Großbritannien und anderen Ländern
      like: - | - | Santo Stefano | - | - | der zweite Weihnachtsfeiertag

    en culturalReference medium: Groundhog Day
      means: 2 February, when a groundhog is said to forecast the spring; also a day that repeats itself | el 2 de febrero, cuando una marmota predice la primavera; también un día que se repite | il 2 febbraio, quando una marmotta predice la primavera; anche un giorno che si ripete | le 2 février, quand une marmotte annonce le printemps ; aussi une journée qui se répète | 2 de fevereiro, quando uma marmota prevê a primavera; também um dia que se repete | der 2. Februar, an dem ein Murmeltier den Frühling vorhersagt; auch ein Tag, der sich wiederholt
      like: - | el Día de la Marmota | il giorno della marmotta | le jour de la marmotte | o Dia da Marmota | der Murmeltiertag

    en culturalReference medium: {tailgate party,tailgating party}
      means: a picnic from the boot of a car outside the stadium before a game | un picnic en el maletero del coche junto al estadio antes del partido | un picnic dal bagagliaio dell'auto davanti allo stadio prima della partita | un pique-nique autour du coffre de la voiture, devant le stade, avant le match | um piquenique no porta-malas do carro, fora do estádio, antes do jogo | ein Picknick am Kofferraum vor dem Stadion vor dem Spiel
      like: - | - | - | - | - | -

    en culturalReference medium: {prom night,senior prom,prom date,prom dress}
      means: the formal dance at the end of high school in the United States | el baile formal al final del instituto en Estados Unidos | il ballo elegante alla fine delle superiori negli Stati Uniti | le bal de fin de lycée aux États-Unis | o baile formal no fim do ensino médio nos Estados Unidos | der festliche Ball am Ende der Highschool in den USA
      like: - | - | - | - | - | -

    en culturalReference low: {Guy Fawkes,Bonfire} Night
      means: 5 November in Britain, with bonfires and fireworks | el 5 de noviembre en el Reino Unido, con hogueras y fuegos artificiales | il 5 novembre nel Regno Unito, con falò e fuochi d'artificio | le 5 novembre au Royaume-Uni, avec feux de joie et feux d'artifice | 5 de novembro no Reino Unido, com fogueiras e fogos de artifício | der 5. November in Großbritannien, mit Freudenfeuern und Feuerwerk
      like: - | - | - | - | - | -

    en formality medium: to whom it may concern
      means: a very formal opening to an unknown reader | un encabezamiento muy formal para un destinatario desconocido | un'apertura molto formale per un destinatario sconosciuto | une ouverture très formelle pour un destinataire inconnu | uma abertura muito formal para um destinatário desconhecido | eine sehr förmliche Anrede für unbekannte Empfänger
      like: - | a quien corresponda | a chi di competenza | à qui de droit | a quem possa interessar | sehr geehrte Damen und Herren

    en formality medium: Dear Sir or Madam / Dear Sirs
      means: a formal opening to an unknown reader | un encabezamiento formal para un destinatario desconocido | un'apertura formale per un destinatario sconosciuto | une ouverture formelle pour un destinataire inconnu | uma abertura formal para um destinatário desconhecido | eine förmliche Anrede für unbekannte Empfänger
      like: - | estimados señores | gentili signori | madame, monsieur | prezados senhores | sehr geehrte Damen und Herren

    en formality low: Yours {sincerely,faithfully}
      means: a formal closing of a letter | una despedida formal de carta | una chiusura formale di lettera | une formule finale de lettre | um fecho formal de carta | ein förmlicher Briefschluss
      like: - | atentamente | distinti saluti | veuillez agréer mes salutations distinguées | atenciosamente | mit freundlichen Grüßen
    """#
}
