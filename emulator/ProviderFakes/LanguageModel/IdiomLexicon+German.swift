extension IdiomLexicon {
  /// German expressions.
  static let german = #"""
    de idiom high: Hals- und Beinbruch
      means: good luck | buena suerte | buona fortuna | bonne chance | boa sorte | viel Glück
      like: break a leg | mucha mierda | in bocca al lupo | merde | - | -

    de idiom high: {Daumen drücken,drücke die Daumen,drücke dir die Daumen,drücken dir die Daumen,drücke euch die Daumen,drück dir die Daumen,drück mir die Daumen,drückt mir die Daumen}
      means: to wish somebody luck | desear suerte a alguien | augurare fortuna a qualcuno | souhaiter bonne chance à quelqu'un | torcer por alguém | jemandem Glück wünschen
      like: keep one's fingers crossed | cruzar los dedos | incrociare le dita | croiser les doigts | cruzar os dedos | -

    de idiom high: {verstehe,versteh,verstehen,verstand} nur Bahnhof / nur Bahnhof verstanden
      means: to understand nothing at all | no entender nada | non capire niente | ne rien comprendre | não entender nada | überhaupt nichts verstehen
      like: it's all Greek to me | me suena a chino | per me è arabo | c'est du chinois | para mim é grego | -

    de idiom high: {nicht mein Bier,nicht dein Bier,nicht unser Bier}
      unless before: das, es, ich, war
      means: it's none of that person's business | no es asunto de esa persona | non è affare di quella persona | ce n'est pas l'affaire de cette personne | não é da conta dessa pessoa | das geht diese Person nichts an
      like: - | - | - | ce ne sont pas mes oignons | - | -

    de idiom high: {Tomaten auf den Augen}
      means: not to see what is obvious | no ver lo evidente | non vedere ciò che è evidente | ne pas voir ce qui est évident | não ver o que é óbvio | das Offensichtliche nicht sehen
      like: - | - | avere gli occhi foderati di prosciutto | - | - | -

    de idiom medium: um den heißen Brei {herumreden,herumredest,herumredet,reden,redest}
      means: to avoid the main point | evitar el tema principal | evitare l'argomento principale | éviter le sujet principal | evitar o assunto principal | nicht zur Sache kommen
      like: beat around the bush | andarse por las ramas | menare il can per l'aia | tourner autour du pot | fazer rodeios | -

    de idiom medium: zwei Fliegen mit einer Klappe
      means: to reach two aims at once | lograr dos cosas a la vez | ottenere due cose insieme | atteindre deux buts à la fois | conseguir duas coisas ao mesmo tempo | zwei Ziele auf einmal erreichen
      like: kill two birds with one stone | matar dos pájaros de un tiro | prendere due piccioni con una fava | faire d'une pierre deux coups | matar dois coelhos com uma cajadada só | -

    de idiom high: {ich glaub,ich glaube} mein Schwein pfeift
      means: I can hardly believe it | no me lo puedo creer | non ci posso credere | je n'en reviens pas | não dá para acreditar | ich bin sehr überrascht
      like: - | - | - | - | - | -

    de slang medium: {null Bock,kein Bock,keinen Bock}
      means: no desire at all | ninguna gana | nessuna voglia | aucune envie | nenhuma vontade | überhaupt keine Lust
      like: - | - | - | la flemme | - | -

    de culturalReference medium: Feierabend
      means: the end of the working day and the free time after it | el fin de la jornada y el tiempo libre que le sigue | la fine della giornata di lavoro e il tempo libero che segue | la fin de la journée de travail et le temps libre qui suit | o fim do expediente e o tempo livre depois dele | das Ende des Arbeitstags und die freie Zeit danach
      like: - | - | - | - | - | -

    de culturalReference medium: {Oktoberfest,auf der Wiesn,auf die Wiesn}
      means: the beer festival in Munich in September and October | la fiesta de la cerveza de Múnich en septiembre y octubre | la festa della birra di Monaco a settembre e ottobre | la fête de la bière à Munich en septembre et octobre | a festa da cerveja de Munique em setembro e outubro | das Bierfest in München im September und Oktober
      like: - | - | - | - | - | -

    de culturalReference medium: Polterabend
      means: a party before a wedding at which crockery is broken for luck | una fiesta antes de la boda en la que se rompe vajilla para dar suerte | una festa prima delle nozze in cui si rompono stoviglie per buon augurio | une fête avant le mariage où l'on casse de la vaisselle pour porter bonheur | uma festa antes do casamento em que se quebra louça para dar sorte | ein Fest vor der Hochzeit, bei dem Geschirr zerschlagen wird, weil es Glück bringen soll
      like: - | - | - | - | - | -

    de culturalReference medium: Schultüte
      means: a paper cone with sweets that children get on their first day of school | un cucurucho con dulces que reciben los niños el primer día de escuela | un cono di carta con dolci per i bambini al primo giorno di scuola | un cornet de friandises que les enfants reçoivent à leur première rentrée | um cone de papel com doces que as crianças ganham no primeiro dia de escola | eine Tüte mit Süßem, die Kinder am ersten Schultag bekommen
      like: - | - | - | - | - | -

    de formality high: sehr geehrte Damen und Herren / {sehr geehrter Herr,sehr geehrte Frau}
      means: a formal opening of a letter | un encabezamiento formal de carta | un'apertura formale di lettera | une formule d'appel de lettre | uma abertura formal de carta | eine förmliche Anrede in Briefen
      like: Dear Sir or Madam | estimados señores | gentili signori | madame, monsieur | prezados senhores | -

    de formality medium: mit freundlichen Grüßen
      means: a formal closing of a letter | una despedida formal de carta | una chiusura formale di lettera | une formule finale de lettre | um fecho formal de carta | ein förmlicher Briefschluss
      like: yours sincerely | atentamente | distinti saluti | cordialement | atenciosamente | -

    de formality medium: hochachtungsvoll
      means: a very formal, old-fashioned closing of a letter | una despedida muy formal y anticuada | una chiusura di lettera molto formale e antiquata | une formule finale très formelle et vieillie | um fecho de carta muito formal e antiquado | ein sehr förmlicher, altmodischer Briefschluss
      like: yours faithfully | le saluda atentamente | con osservanza | veuillez agréer mes salutations distinguées | respeitosamente | -
    """#
}
