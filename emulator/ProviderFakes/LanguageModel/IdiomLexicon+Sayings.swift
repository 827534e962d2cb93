extension IdiomLexicon {
  /// English idioms for situations.
  static let englishSayings = #"""
    en idiom high: break a leg
      unless after: to, not, t, could, might, can, may, will, would, ll, d, did, should
      means: good luck | buena suerte | buona fortuna | bonne chance | boa sorte | viel Glück
      like: - | mucha mierda | in bocca al lupo | merde | - | Hals- und Beinbruch

    en idiom high: piece of cake / {is,was,were,be} a piece of cake / {it's,that's} a piece of cake
      unless after: a, the, another, my, your, his, her, their, our, big, small, last, little, nice, there, here, each, every, this
      unless before: left, on, with
      means: something very easy | algo muy fácil | una cosa facilissima | quelque chose de très facile | algo muito fácil | etwas ganz Leichtes
      like: - | pan comido | un gioco da ragazzi | un jeu d'enfant | mamão com açúcar | ein Kinderspiel

    en idiom high: once in a blue moon
      means: very rarely | muy rara vez | molto raramente | très rarement | muito raramente | sehr selten
      like: - | de Pascuas a Ramos | ogni morte di papa | tous les trente-six du mois | uma vez na vida e outra na morte | alle Jubeljahre

    en idiom high: {raining,rain,rains,rained} cats and dogs
      means: it rains very hard | llueve muchísimo | piove fortissimo | il pleut très fort | chove muito forte | es regnet sehr stark
      like: - | llueve a cántaros | piove a catinelle | il pleut des cordes | chove a cântaros | es regnet Bindfäden

    en idiom medium: under the weather
      means: a little ill | un poco enfermo | un po' malato | un peu malade | um pouco doente | ein wenig krank
      like: - | estar pachucho | - | ne pas être dans son assiette | - | nicht auf der Höhe sein

    en idiom medium: on the same page
      unless before: of, in, number, as
      means: in agreement, with the same understanding | de acuerdo, con la misma idea | d'accordo, con la stessa idea | d'accord, avec la même idée | de acordo, com a mesma ideia | einig, mit derselben Vorstellung
      like: - | estar en sintonía | essere sulla stessa lunghezza d'onda | être sur la même longueur d'onde | estar em sintonia | auf derselben Wellenlänge sein

    en idiom high: when pigs fly / pigs might fly
      means: never | nunca | mai | jamais | nunca | niemals
      like: - | cuando las ranas críen pelo | quando gli asini voleranno | quand les poules auront des dents | no dia de São Nunca | am Sankt-Nimmerleins-Tag

    en idiom medium: the ball is in {your,my,his,her,our,their} court / the ball's in {your,my,his,her,our,their} court
      means: the next decision is that person's | a esa persona le toca decidir | ora tocca a quella persona decidere | c'est à cette personne de décider | cabe a essa pessoa decidir | diese Person muss nun entscheiden
      like: - | la pelota está en tu tejado | la palla passa a te | la balle est dans ton camp | a bola está com você | der Ball liegt bei dir

    en idiom high: the final straw / the straw that broke the camel's back / {that's,it's,it is,that is,that was,it was,this is} the last straw
      unless before: in, from, of
      means: the last of many annoyances, after which one has had enough | la última molestia, tras la cual uno no aguanta más | l'ultimo fastidio, dopo il quale non se ne può più | le dernier ennui, celui de trop | o último aborrecimento, depois do qual já não se aguenta mais | das letzte Ärgernis, nach dem man genug hat
      like: - | la gota que colma el vaso | la goccia che fa traboccare il vaso | la goutte d'eau qui fait déborder le vase | a gota d'água | der Tropfen, der das Fass zum Überlaufen bringt

    en idiom medium: tip of the iceberg
      means: the small visible part of a large problem | la pequeña parte visible de un gran problema | la piccola parte visibile di un grande problema | la petite partie visible d'un grand problème | a pequena parte visível de um grande problema | der kleine sichtbare Teil eines großen Problems
      like: - | la punta del iceberg | la punta dell'iceberg | la partie émergée de l'iceberg | a ponta do iceberg | die Spitze des Eisbergs

    en idiom medium: out of the blue
      unless before: box, bag, car, bus, house, door, room, cup, bottle, sea, sky, water, one, ones, team, group, line, and, folder
      means: suddenly and without warning | de repente y sin aviso | all'improvviso e senza preavviso | soudain, sans prévenir | de repente e sem aviso | plötzlich und ohne Vorwarnung
      like: - | de buenas a primeras | di punto in bianco | sans crier gare | do nada | aus heiterem Himmel

    en idiom medium: elephant in the room
      means: an obvious problem that nobody mentions | un problema evidente del que nadie habla | un problema evidente di cui nessuno parla | un problème évident dont personne ne parle | um problema evidente de que ninguém fala | ein offensichtliches Problem, das niemand anspricht
      like: - | el elefante en la habitación | l'elefante nella stanza | l'éléphant dans la pièce | o elefante na sala | der Elefant im Raum

    en idiom medium: a drop in the ocean / a drop in the bucket
      means: far too little to matter | demasiado poco para que se note | troppo poco per contare | bien trop peu pour compter | pouco demais para fazer diferença | viel zu wenig, um etwas zu bewirken
      like: - | una gota en el océano | una goccia nel mare | une goutte d'eau dans l'océan | uma gota no oceano | ein Tropfen auf den heißen Stein

    en idiom medium: in the same boat
      unless before: on, from, ride, tour
      means: in the same difficult situation | en la misma situación difícil | nella stessa situazione difficile | dans la même situation difficile | na mesma situação difícil | in derselben schwierigen Lage
      like: - | estar en el mismo barco | essere sulla stessa barca | être dans le même bateau | estar no mesmo barco | im selben Boot sitzen

    en idiom medium: {storm,tempest} in a {teacup,teapot}
      means: much excitement about something unimportant | mucho alboroto por algo sin importancia | molto rumore per una cosa da poco | beaucoup d'agitation pour rien d'important | muita agitação por algo sem importância | viel Aufregung um eine Kleinigkeit
      like: - | una tormenta en un vaso de agua | una tempesta in un bicchier d'acqua | une tempête dans un verre d'eau | uma tempestade em copo d'água | ein Sturm im Wasserglas

    en idiom medium: needle in a haystack
      means: something almost impossible to find | algo casi imposible de encontrar | una cosa quasi impossibile da trovare | quelque chose de presque introuvable | algo quase impossível de achar | etwas, das kaum zu finden ist
      like: - | buscar una aguja en un pajar | cercare un ago in un pagliaio | chercher une aiguille dans une botte de foin | procurar agulha no palheiro | die Nadel im Heuhaufen suchen

    en idiom medium: like a fish out of water
      means: uneasy in unfamiliar surroundings | incómodo en un ambiente ajeno | a disagio in un ambiente estraneo | mal à l'aise dans un milieu inconnu | pouco à vontade num ambiente estranho | unwohl in ungewohnter Umgebung
      like: - | como pez fuera del agua | un pesce fuor d'acqua | comme un poisson hors de l'eau | um peixe fora d'água | fehl am Platz

    en idiom medium: bull in a china shop
      means: a clumsy person where care is needed | una persona torpe donde hace falta cuidado | una persona maldestra dove serve delicatezza | une personne maladroite là où il faut de la délicatesse | uma pessoa desajeitada onde é preciso cuidado | ein ungeschickter Mensch, wo Vorsicht nötig ist
      like: - | un elefante en una cacharrería | un elefante in una cristalleria | un éléphant dans un magasin de porcelaine | - | ein Elefant im Porzellanladen

    en idiom low: black sheep of {the,my,your,his,her,our,their} family
      means: the member who brings the family shame | el que avergüenza a la familia | chi fa vergognare la famiglia | celui qui fait honte à la famille | quem envergonha a família | wer der Familie Schande macht
      like: - | la oveja negra | la pecora nera | le mouton noir | a ovelha negra | das schwarze Schaf

    en idiom medium: {not,isn't,ain't} rocket science
      means: it isn't difficult | no es difícil | non è difficile | ce n'est pas difficile | não é difícil | es ist nicht schwierig
      like: - | no tiene ninguna ciencia | - | ce n'est pas sorcier | não é um bicho de sete cabeças | das ist kein Hexenwerk

    en idiom low: long time no see
      means: we haven't met for a long time | hace mucho que no nos vemos | non ci vediamo da tanto | nous ne nous sommes pas vus depuis longtemps | faz muito tempo que não nos vemos | wir haben uns lange nicht getroffen
      like: - | cuánto tiempo sin verte | chi si rivede | ça fait un bail | há quanto tempo | lange nicht gesehen

    en idiom high: a blessing in disguise
      means: a misfortune that turns out to be good | una desgracia que acaba siendo buena | una disgrazia che si rivela un bene | un malheur qui se révèle utile | um azar que acaba sendo bom | ein Unglück, das sich als gut erweist
      like: - | no hay mal que por bien no venga | non tutto il male vien per nuocere | un mal pour un bien | há males que vêm para bem | Glück im Unglück

    en idiom medium: {cost,costs,costing} an arm and a leg / {cost,costs,costing} {me,you,him,her,us,them} an arm and a leg / {pay,paid,paying,charge,charged,charging} an arm and a leg
      means: it is very expensive | es carísimo | è carissimo | c'est très cher | é caríssimo | es ist sehr teuer
      like: - | costar un ojo de la cara | costare un occhio della testa | coûter les yeux de la tête | custar os olhos da cara | ein Vermögen kosten

    en idiom low: knock on wood / knocking on wood / touch wood
      means: may the luck last | que siga la suerte | che la fortuna duri | pourvu que la chance dure | que a sorte continue | möge das Glück anhalten
      like: - | tocar madera | toccare ferro | toucher du bois | bater na madeira | auf Holz klopfen
    """#
}
