/// The words of six languages that don't name a question's subject, such as articles, in lower case
/// and without accents.
///
/// All languages share one set, because a question may be in another language than the messages.
enum StopWords {
  static let all = Set(tables.flatMap { Words.folded($0) })

  private static let tables = [
    // English
    #"""
    a an the and or but if of at by for with about to from in on off out up down over under again
    then once here there all any both each few more most other some such no nor not only own same so
    than too very can will just should now i me my we our ours you your yours he him his she her hers
    it its they them their theirs what which who whom whose this that these those am is are was were
    be been being have has had having do does did doing would could shall may might must s t d ll re
    ve m don didn doesn isn wasn aren won when where why how say says said saying tell tells told
    telling write writes wrote written ask asked asks mention mentioned talk talked talking speak
    spoke know knows think thinks thought want wants wanted please message messages conversation chat
    anything anyone anybody something someone somebody everything everyone everybody nothing
    get got going go went gonna us also ever yet still since time hour group
    """#,
    // Spanish
    #"""
    el la los las un una unos unas y o u e pero si de del al a en por para con sin sobre entre hasta
    desde que qué quién quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas yo tú él
    ella nosotros nosotras vosotros ellos ellas me te se nos os le les lo mi mis tu tus su sus nuestro
    nuestra es son era eran fue fueron ser sido está están estaba estar he has ha hemos han había
    haber hay no sí ya más menos muy también este esta esto estos estas ese esa eso esos esas dijo
    dice dicho decir dijeron escribió escribe escribir preguntó contó habló hablar hablado mensaje
    mensajes algo alguien nada nadie todo todos todas sabe saber cree quiere va van ir vamos hora grupo
    """#,
    // Italian
    #"""
    il lo la i gli le un uno una e ed o ma se di del dello della dei degli delle a al allo alla ai
    agli alle da dal dalla dai dagli dalle in nel nella nei negli nelle su sul sulla sui sulle con per
    tra fra che chi cosa come quando dove perché quale quali quanto quanta quanti quante io tu lui lei
    noi voi loro mi ti si ci vi ne mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra è
    sono era erano sia essere stato stata ho hai ha abbiamo avete hanno aveva avere non sì già più
    meno molto anche questo questa questi queste quello quella quelli quelle detto dice dire disse
    scritto scrive scrivere chiesto chiede parlato parlare messaggio messaggi qualcosa qualcuno niente
    nessuno tutto tutti tutte sa sapere pensa vuole va vanno andare l un d c ora gruppo
    """#,
    // French
    #"""
    le la les un une des du de d l et ou mais si à au aux en dans par pour avec sans sur sous entre
    que qu qui quoi quel quelle quels quelles comment quand où pourquoi combien je j tu il elle on
    nous vous ils elles me m te t se s lui leur y mon ma mes ton ta tes son sa ses notre nos votre vos
    leurs c ce cet cette ces ça cela est sont était étaient être été suis es sommes ai as a avons avez
    ont avait avoir ne n pas non oui déjà plus moins très aussi dit dire disait écrit écrire demandé
    parlé parler raconté message messages quelque chose quelqu rien personne tout tous toute toutes
    sait savoir pense veut va vont aller heure groupe
    """#,
    // Portuguese
    #"""
    o a os as um uma uns umas e ou mas se de do da dos das em no na nos nas por pelo pela para pra com
    sem sobre entre até desde que quê quem qual quais como quando onde quanto quanta quantos quantas
    por eu tu você vocês ele ela nós eles elas me te lhe meu minha meus minhas teu tua seu sua seus
    suas nosso nossa é são era eram foi foram ser sido está estão estava estar há tem têm tinha ter não
    sim já mais menos muito também este esta isto esse essa isso aquele aquela disse diz dizer falou
    fala falar escreveu escrever perguntou contou mensagem mensagens algo alguém nada ninguém tudo
    todos todas sabe saber acha quer vai vão ir vamos hora horas
    """#,
    // German
    #"""
    der die das den dem des ein eine einen einem einer eines und oder aber wenn als von vom zu zum zur
    mit ohne für über unter auf an am im in ins bei nach aus um bis seit durch gegen vor hinter
    zwischen was wer wen wem wie wo wann warum wieso welche welcher welches wohin woher ich du er sie
    es wir ihr mich dich sich uns euch ihm ihn ihnen mein meine dein deine sein seine unser unsere euer
    bin bist ist sind seid war waren gewesen wird werden wurde habe hast hat haben hatte hatten nicht
    kein keine ja nein schon noch mehr sehr auch nur dieser diese dieses gesagt sagt sagte sagen
    geschrieben schrieb schreibt schreiben gefragt fragt erzählt geredet gesprochen nachricht
    nachrichten etwas jemand nichts niemand alles alle weiß wissen denkt will wollen geht gehen denn
    mal doch uhr heißt heißen heiße gruppe
    """#,
  ]
}
