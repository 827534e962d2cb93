extension IdiomLexicon {
  /// English idioms for feelings and relationships.
  static let englishFeelings = #"""
    en idiom high: {get,gets,got,getting} cold feet
      unless before: in, when, at, from, if, every, outside, because
      means: to lose courage just before doing something | perder el valor justo antes de hacer algo | perdere il coraggio all'ultimo momento | perdre courage au dernier moment | perder a coragem na última hora | kurz vorher den Mut verlieren
      like: - | echarse atrás | tirarsi indietro | se dégonfler | amarelar | kalte Füße bekommen

    en idiom medium: butterflies in {my,your,his,her,our,their,the} {stomach,tummy}
      means: to be nervous or in love | estar nervioso o enamorado | essere emozionati o innamorati | avoir le trac ou être amoureux | estar nervoso ou apaixonado | nervös oder verliebt sein
      like: - | mariposas en el estómago | le farfalle nello stomaco | des papillons dans le ventre | frio na barriga | Schmetterlinge im Bauch

    en idiom medium: head over heels in love / head over heels for
      means: very much in love | muy enamorado | molto innamorato | très amoureux | muito apaixonado | sehr verliebt
      like: - | perdidamente enamorado | innamorato cotto | éperdument amoureux | perdidamente apaixonado | bis über beide Ohren verliebt

    en idiom medium: {see,saw,seen} eye to eye
      means: to agree | estar de acuerdo | essere d'accordo | être d'accord | estar de acordo | derselben Ansicht sein
      like: - | - | vederla allo stesso modo | être sur la même longueur d'onde | - | einer Meinung sein

    en idiom medium: {get,gets,got,getting,gotten} out of hand
      means: to become impossible to control | descontrolarse | diventare incontrollabile | devenir incontrôlable | descontrolar-se | außer Kontrolle geraten
      like: - | irse de las manos | sfuggire di mano | - | sair do controle | aus dem Ruder laufen

    en idiom low: sweet tooth
      means: a great liking for sweet things | mucho gusto por los dulces | una passione per i dolci | un grand goût pour les sucreries | um grande gosto por doces | eine große Vorliebe für Süßes
      like: - | ser goloso | essere goloso | avoir le bec sucré | - | eine Naschkatze sein

    en idiom medium: {get,gets,got,gotten,getting,wake,wakes,woke,woken,waking} up on the wrong side of {the bed,bed} / {get,gets,got,getting} out of bed on the wrong side
      means: to be in a bad mood all day | estar de mal humor todo el día | essere di cattivo umore tutto il giorno | être de mauvaise humeur toute la journée | estar de mau humor o dia todo | den ganzen Tag schlecht gelaunt sein
      like: - | levantarse con el pie izquierdo | alzarsi con il piede sbagliato | se lever du pied gauche | levantar com o pé esquerdo | mit dem falschen Fuß aufstehen

    en idiom low: {fingers,finger} crossed / {cross,crossing,crossed} my fingers
      means: hoping for luck | deseando suerte | sperando nella fortuna | en espérant avoir de la chance | torcendo para dar certo | in der Hoffnung auf Glück
      like: - | cruzar los dedos | incrociare le dita | croiser les doigts | cruzar os dedos | die Daumen drücken

    en idiom medium: hang in there / hanging in there
      unless after: coats, clothes, shirts, jackets, they, pictures, dresses, that, to
      means: don't give up | no te rindas | non arrenderti | n'abandonne pas | não desista | gib nicht auf
      like: - | aguanta | tieni duro | tiens bon | aguenta firme | halt die Ohren steif

    en idiom medium: on cloud nine / {I'm,I am,he's,he is,she's,she is,we're,we are,they're,they are} over the moon / {absolutely,totally,completely} over the moon / over the moon {about,with}
      means: extremely happy | felicísimo | felicissimo | extrêmement heureux | felicíssimo | überglücklich
      like: - | en el séptimo cielo | al settimo cielo | au septième ciel | nas nuvens | im siebten Himmel

    en idiom medium: green with envy
      means: very envious | muy envidioso | molto invidioso | très envieux | muito invejoso | sehr neidisch
      like: - | muerto de envidia | verde d'invidia | vert de jalousie | morrendo de inveja | grün vor Neid
    """#

  /// English proverbs and proverbial phrases.
  static let englishProverbs = #"""
    en idiom medium: the early bird {catches,gets} the worm
      means: who comes early has the best chances | quien llega temprano tiene las mejores oportunidades | chi arriva presto ha le occasioni migliori | qui arrive tôt a les meilleures chances | quem chega cedo tem as melhores chances | wer früh kommt, hat die besten Chancen
      like: - | a quien madruga, Dios le ayuda | chi dorme non piglia pesci | l'avenir appartient à ceux qui se lèvent tôt | Deus ajuda quem cedo madruga | der frühe Vogel fängt den Wurm

    en idiom medium: {cry,crying} over {spilled,spilt} milk
      means: to regret what can't be changed | lamentar lo que no tiene remedio | rimpiangere ciò che non si può cambiare | regretter ce qu'on ne peut plus changer | lamentar o que não tem remédio | bedauern, was nicht mehr zu ändern ist
      like: - | a lo hecho, pecho | piangere sul latte versato | - | chorar sobre o leite derramado | -

    en idiom medium: actions speak louder than words
      means: what people do counts more than what they say | lo que se hace vale más que lo que se dice | quello che si fa conta più di quello che si dice | ce qu'on fait compte plus que ce qu'on dit | o que se faz vale mais do que o que se diz | was man tut, zählt mehr, als was man sagt
      like: - | obras son amores, que no buenas razones | contano i fatti, non le parole | - | - | Taten sagen mehr als Worte

    en idiom low: better late than never
      means: late is better than not at all | tarde es mejor que no hacerlo | fare tardi è meglio che non fare | il vaut mieux le faire tard que pas du tout | tarde é melhor do que não fazer | spät ist besser als gar nicht
      like: - | más vale tarde que nunca | meglio tardi che mai | mieux vaut tard que jamais | antes tarde do que nunca | besser spät als nie

    en idiom high: {speak,speaking,talk} of the devil
      means: the person we talk about has just appeared | acaba de aparecer la persona de quien hablamos | è appena arrivata la persona di cui parliamo | la personne dont on parle vient d'apparaître | a pessoa de quem falamos acaba de aparecer | die Person, von der wir reden, ist gerade erschienen
      like: - | hablando del rey de Roma | parli del diavolo | quand on parle du loup | falando no diabo | wenn man vom Teufel spricht

    en idiom medium: {all that glitters is not gold,not all that glitters is gold}
      means: what looks good isn't always good | lo que parece bueno no siempre lo es | quello che sembra bello non sempre lo è | ce qui semble beau ne l'est pas toujours | o que parece bom nem sempre é | was gut aussieht, ist nicht immer gut
      like: - | no es oro todo lo que reluce | non è tutto oro quel che luccica | tout ce qui brille n'est pas or | nem tudo que reluz é ouro | es ist nicht alles Gold, was glänzt

    en idiom medium: {count,counting} {your,my,our,their} chickens
      unless before: every, each, in, at, tonight, and
      means: to rely on a success before it has come | contar con un éxito antes de tenerlo | contare su un successo prima di averlo | compter sur un succès avant de l'avoir | contar com um sucesso antes da hora | sich zu früh auf einen Erfolg verlassen
      like: - | no vendas la piel del oso antes de cazarlo | non dire gatto se non ce l'hai nel sacco | il ne faut pas vendre la peau de l'ours avant de l'avoir tué | - | man soll den Tag nicht vor dem Abend loben

    en idiom medium: look a gift horse in the mouth
      means: to find fault with a present | poner pegas a un regalo | trovare difetti a un regalo | critiquer un cadeau | pôr defeito num presente | an einem Geschenk etwas auszusetzen haben
      like: - | a caballo regalado no le mires el diente | a caval donato non si guarda in bocca | à cheval donné on ne regarde pas les dents | a cavalo dado não se olham os dentes | einem geschenkten Gaul schaut man nicht ins Maul

    en idiom low: like father like son
      means: the son is just like his father | el hijo es igual que el padre | il figlio è proprio come il padre | le fils est comme le père | o filho é igual ao pai | der Sohn ist genau wie der Vater
      like: - | de tal palo, tal astilla | tale padre, tale figlio | tel père, tel fils | tal pai, tal filho | wie der Vater, so der Sohn

    en idiom medium: the apple {doesn't,does not,never} {fall,falls} far from the tree
      means: children resemble their parents | los hijos se parecen a sus padres | i figli somigliano ai genitori | les enfants ressemblent à leurs parents | os filhos se parecem com os pais | Kinder sind wie ihre Eltern
      like: - | de tal palo, tal astilla | la mela non cade mai lontano dall'albero | les chiens ne font pas des chats | filho de peixe, peixinho é | der Apfel fällt nicht weit vom Stamm

    en idiom low: Rome {wasn't,was not} built in a day
      means: great things take time | las cosas grandes requieren tiempo | le grandi cose richiedono tempo | les grandes choses demandent du temps | as grandes coisas levam tempo | Großes braucht Zeit
      like: - | no se ganó Zamora en una hora | Roma non fu fatta in un giorno | Rome ne s'est pas faite en un jour | Roma não se fez em um dia | Rom wurde auch nicht an einem Tag erbaut

    en idiom low: easier said than done
      means: to talk about it is easy, to do it is hard | hablar es fácil, hacerlo es difícil | parlarne è facile, farlo è difficile | en parler est facile, le faire est difficile | falar é fácil, fazer é difícil | darüber zu reden ist leicht, es zu tun schwer
      like: - | del dicho al hecho hay mucho trecho | tra il dire e il fare c'è di mezzo il mare | plus facile à dire qu'à faire | é mais fácil falar do que fazer | leichter gesagt als getan
    """#
}
