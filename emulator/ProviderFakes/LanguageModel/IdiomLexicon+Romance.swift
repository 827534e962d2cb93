extension IdiomLexicon {
  /// Italian, Spanish, French and Portuguese expressions.
  static let romance = #"""
    it idiom high: in bocca al lupo
      means: good luck; the usual answer is "crepi" | buena suerte; se suele responder "crepi" | buona fortuna | bonne chance ; on répond « crepi » | boa sorte; costuma-se responder "crepi" | viel Glück; die übliche Antwort ist „crepi“
      like: break a leg | mucha mierda | - | merde | - | Hals- und Beinbruch

    it idiom high: {piove,pioveva,piovere,piovendo,piovuto} a catinelle
      means: it rains very hard | llueve muchísimo | piove fortissimo | il pleut très fort | chove muito forte | es regnet sehr stark
      like: it's raining cats and dogs | llueve a cántaros | - | il pleut des cordes | chove a cântaros | es regnet Bindfäden

    it idiom high: non vedo l'ora / non vediamo l'ora / non vedevo l'ora
      means: I can hardly wait | tengo muchas ganas | aspetto con impazienza | il me tarde d'y être | mal posso esperar | ich kann es kaum erwarten
      like: I can't wait | estoy deseándolo | - | j'ai hâte | não vejo a hora | ich freue mich drauf

    it idiom high: acqua in bocca
      means: keep it secret | no se lo digas a nadie | non dirlo a nessuno | n'en parle à personne | não conte a ninguém | sag es niemandem
      like: mum's the word | punto en boca | - | motus et bouche cousue | boca de siri | kein Sterbenswörtchen

    it idiom high: {costa,costato,costano,costare} un occhio della testa
      means: it is very expensive | es carísimo | è carissimo | c'est très cher | é caríssimo | es ist sehr teuer
      like: cost an arm and a leg | costar un ojo de la cara | - | coûter les yeux de la tête | custar os olhos da cara | ein Vermögen kosten

    it idiom medium: ogni morte di papa
      means: very rarely | muy rara vez | molto raramente | très rarement | muito raramente | sehr selten
      like: once in a blue moon | de Pascuas a Ramos | - | tous les trente-six du mois | uma vez na vida e outra na morte | alle Jubeljahre

    it idiom medium: {prendere,prendi,prendiamo,preso} due piccioni con una fava
      means: to reach two aims at once | lograr dos cosas a la vez | ottenere due cose insieme | atteindre deux buts à la fois | conseguir duas coisas ao mesmo tempo | zwei Ziele auf einmal erreichen
      like: kill two birds with one stone | matar dos pájaros de un tiro | - | faire d'une pierre deux coups | matar dois coelhos com uma cajadada só | zwei Fliegen mit einer Klappe schlagen

    it idiom high: conosco i miei polli
      means: I know whom I am dealing with | sé con quién trato | so con chi ho a che fare | je sais à qui j'ai affaire | sei com quem estou lidando | ich weiß, mit wem ich es zu tun habe
      like: - | - | - | - | - | ich kenne meine Pappenheimer

    it slang medium: che figata
      means: how great | qué genial | che bello | que c'est génial | que demais | wie toll
      like: that's so cool | qué guay | - | trop stylé | que massa | wie geil

    it culturalReference high: Ferragosto
      means: 15 August, the height of the Italian summer holidays, when most shops and offices are closed | el 15 de agosto, el centro de las vacaciones de verano italianas, cuando casi todo cierra | il 15 agosto, il culmine delle vacanze estive, quando quasi tutto è chiuso | le 15 août, le sommet des vacances d'été en Italie, quand presque tout est fermé | 15 de agosto, o auge das férias de verão na Itália, quando quase tudo fecha | der 15. August, der Höhepunkt der italienischen Sommerferien, wenn fast alles geschlossen ist
      like: - | - | - | - | - | -

    it culturalReference medium: Pasquetta
      means: Easter Monday, which Italians spend on a picnic with friends | el Lunes de Pascua, que los italianos pasan de picnic con amigos | il lunedì di Pasqua, che si passa con gli amici all'aperto | le lundi de Pâques, que les Italiens passent en pique-nique entre amis | a segunda-feira de Páscoa, que os italianos passam num piquenique com amigos | der Ostermontag, den man in Italien mit Freunden im Grünen verbringt
      like: Easter Monday | el Lunes de Pascua | - | le lundi de Pâques | a segunda-feira de Páscoa | der Ostermontag

    it culturalReference medium: {la,della,alla} Befana
      means: an old woman who brings children sweets on 6 January | una anciana que trae dulces a los niños el 6 de enero | la vecchietta che porta dolci ai bambini il 6 gennaio | une vieille femme qui apporte des bonbons aux enfants le 6 janvier | uma velhinha que traz doces às crianças em 6 de janeiro | eine alte Frau, die Kindern am 6. Januar Süßes bringt
      like: - | - | - | - | - | -

    it formality low: distinti saluti / cordiali saluti
      means: a formal closing of a letter | una despedida formal de carta | una chiusura formale di lettera | une formule finale de lettre | um fecho formal de carta | ein förmlicher Briefschluss
      like: yours sincerely | atentamente | - | cordialement | atenciosamente | mit freundlichen Grüßen

    es idiom high: {tomar,tomando,tomarme,tomarte,tomándome,tomándote} el pelo / {me,te,le,nos} {estás,está,están,estas} tomando el pelo
      means: to joke with somebody | bromear con alguien | scherzare con qualcuno | plaisanter avec quelqu'un | brincar com alguém | mit jemandem scherzen
      like: pull somebody's leg | - | prendere in giro | faire marcher quelqu'un | - | jemanden auf den Arm nehmen

    es idiom high: pan comido
      unless after: comido, el, he, has, ha, hemos, han, del
      means: something very easy | algo muy fácil | una cosa facilissima | quelque chose de très facile | algo muito fácil | etwas ganz Leichtes
      like: a piece of cake | - | un gioco da ragazzi | un jeu d'enfant | mamão com açúcar | ein Kinderspiel

    es idiom high: mucha mierda
      unless after: hay, es, con, de
      unless before: de, en, por
      means: good luck, said before a performance | buena suerte, antes de una actuación | buona fortuna, prima di uno spettacolo | bonne chance, avant un spectacle | boa sorte, antes de uma apresentação | viel Glück, vor einem Auftritt gesagt
      like: break a leg | - | in bocca al lupo | merde | - | toi, toi, toi

    es idiom high: {cuesta,costó,cuestan,costado} un ojo de la cara / {me,te,le,nos} {cuesta,costó,ha costado} un ojo de la cara
      means: it is very expensive | es carísimo | è carissimo | c'est très cher | é caríssimo | es ist sehr teuer
      like: cost an arm and a leg | - | costare un occhio della testa | coûter les yeux de la tête | custar os olhos da cara | ein Vermögen kosten

    es idiom medium: no hay mal que por bien no venga
      means: some good comes of every misfortune | de toda desgracia sale algo bueno | da ogni disgrazia viene qualcosa di buono | de tout malheur sort quelque chose de bon | de todo azar sai algo de bom | aus jedem Unglück entsteht etwas Gutes
      like: every cloud has a silver lining | - | non tutto il male vien per nuocere | à quelque chose malheur est bon | há males que vêm para bem | Glück im Unglück

    es idiom medium: {ir,vamos,vayamos,ve,voy} al grano
      means: to come straight to the point | ir directo a lo importante | venire subito al punto | en venir tout de suite à l'essentiel | ir direto ao que importa | ohne Umschweife zum Wesentlichen kommen
      like: cut to the chase | - | venire al sodo | aller droit au but | ir direto ao ponto | zur Sache kommen

    es idiom high: {llueve,lloviendo,llover,llovió,llovía} a cántaros
      means: it rains very hard | llueve muchísimo | piove fortissimo | il pleut très fort | chove muito forte | es regnet sehr stark
      like: it's raining cats and dogs | - | piove a catinelle | il pleut des cordes | chove a cântaros | es regnet Bindfäden

    es slang medium: {mola,molan} {mucho,mogollón,un montón}
      means: it's great | es genial | è bellissimo | c'est génial | é muito legal | das ist toll
      like: that's so cool | - | è una figata | c'est trop cool | é muito massa | das ist voll cool

    es culturalReference medium: {noche,día,cabalgata} de Reyes / Reyes Magos
      means: the Three Kings, who bring Spanish children their presents on the night before 6 January | los Reyes, que traen regalos la noche antes del 6 de enero | i Re Magi, che in Spagna portano i regali ai bambini nella notte prima del 6 gennaio | les Rois mages, qui apportent les cadeaux aux enfants en Espagne la nuit avant le 6 janvier | os Reis Magos, que na Espanha trazem presentes na noite antes de 6 de janeiro | die Heiligen Drei Könige, die spanischen Kindern in der Nacht vor dem 6. Januar Geschenke bringen
      like: - | - | - | - | - | -

    es culturalReference medium: {las doce uvas,uvas de la suerte,uvas de Nochevieja}
      means: twelve grapes eaten at midnight on New Year's Eve for good luck | doce uvas que se comen en Nochevieja para tener suerte | dodici acini d'uva mangiati a mezzanotte di Capodanno per portare fortuna | douze grains de raisin mangés à minuit le soir du Nouvel An pour porter chance | doze uvas comidas à meia-noite do Ano-Novo para dar sorte | zwölf Trauben, die man zu Neujahr um Mitternacht isst, damit sie Glück bringen
      like: - | - | - | - | - | -

    es formality low: le saluda atentamente / {estimado señor,estimada señora,estimados señores}
      means: a formal courtesy in letters | una cortesía formal en las cartas | una cortesia formale nelle lettere | une politesse formelle dans les lettres | uma cortesia formal em cartas | eine förmliche Höflichkeit in Briefen
      like: - | - | - | - | - | -

    fr idiom high: {pose,posé,poser,posa} un lapin
      means: not to come to a date | no acudir a una cita | non presentarsi a un appuntamento | ne pas venir à un rendez-vous | não aparecer a um encontro | zu einer Verabredung nicht erscheinen
      like: stand somebody up | dar plantón | dare buca | - | dar um bolo | jemanden versetzen

    fr idiom high: {coûte,coûté,coûtent,coûter} les yeux de la tête
      means: it is very expensive | es carísimo | è carissimo | c'est très cher | é caríssimo | es ist sehr teuer
      like: cost an arm and a leg | costar un ojo de la cara | costare un occhio della testa | - | custar os olhos da cara | ein Vermögen kosten

    fr idiom high: {pleut,pleuvait,pleuvoir} des cordes
      means: it rains very hard | llueve muchísimo | piove fortissimo | il pleut très fort | chove muito forte | es regnet sehr stark
      like: it's raining cats and dogs | llueve a cántaros | piove a catinelle | - | chove a cântaros | es regnet Bindfäden

    fr idiom high: {avoir,j'ai,il a,elle a,t'as,tu as} le cafard
      means: to feel low | estar triste | essere giù di morale | être triste | estar triste | niedergeschlagen sein
      like: have the blues | estar de bajón | essere giù di corda | - | estar na fossa | -

    fr idiom medium: {tomber,tombé,tombée,tombés,tombe} dans les pommes
      means: to faint | desmayarse | svenire | s'évanouir | desmaiar | ohnmächtig werden
      like: - | - | - | - | - | aus den Latschen kippen

    fr idiom medium: quand on parle du loup
      means: the person we talk about has just appeared | acaba de aparecer la persona de quien hablamos | è appena arrivata la persona di cui parliamo | la personne dont on parle vient d'apparaître | a pessoa de quem falamos acaba de aparecer | die Person, von der wir reden, ist gerade erschienen
      like: speak of the devil | hablando del rey de Roma | parli del diavolo | - | falando no diabo | wenn man vom Teufel spricht

    fr slang medium: {je kiffe,on kiffe,j'ai kiffé,tu kiffes}
      means: to like something a lot | gustar muchísimo | piacere tantissimo | aimer beaucoup | gostar muito | etwas sehr mögen
      like: - | me mola | - | - | - | ich feiere das

    fr slang low: mdr
      means: dying of laughter | muerto de risa | morto dal ridere | mort de rire | morrendo de rir | ich lache mich tot
      like: LOL | jajaja | ahah | - | kkkk | haha

    fr culturalReference medium: galette des rois
      means: a cake for Epiphany in which a charm is hidden; who finds it wears the crown | un pastel de Reyes con una figurita escondida; quien la encuentra lleva la corona | un dolce dell'Epifania con una statuina nascosta; chi la trova porta la corona | un gâteau de l'Épiphanie où se cache une fève ; qui la trouve porte la couronne | um bolo de Reis com uma prenda escondida; quem a encontra usa a coroa | ein Dreikönigskuchen mit einer versteckten Figur; wer sie findet, trägt die Krone
      like: - | el roscón de Reyes | - | - | o bolo-rei | der Dreikönigskuchen

    fr culturalReference medium: poisson d'avril
      means: a trick on 1 April | una broma del 1 de abril | uno scherzo del 1º aprile | une farce du 1er avril | uma brincadeira de 1º de abril | ein Scherz am 1. April
      like: April fool | - | pesce d'aprile | - | primeiro de abril | April, April

    fr formality high: veuillez agréer / je vous prie d'agréer
      means: the beginning of a formal closing of a letter | el comienzo de una despedida formal de carta | l'inizio di una chiusura formale di lettera | le début d'une formule finale de lettre | o começo de um fecho formal de carta | der Anfang eines förmlichen Briefschlusses
      like: yours faithfully | le saluda atentamente | distinti saluti | - | atenciosamente | mit freundlichen Grüßen

    pt idiom high: {matar,matei,matou,matando} dois coelhos com uma cajadada só / {matar,matei,matou,matando} dois coelhos com uma cajadada
      means: to reach two aims at once | lograr dos cosas a la vez | ottenere due cose insieme | atteindre deux buts à la fois | conseguir duas coisas ao mesmo tempo | zwei Ziele auf einmal erreichen
      like: kill two birds with one stone | matar dos pájaros de un tiro | prendere due piccioni con una fava | faire d'une pierre deux coups | - | zwei Fliegen mit einer Klappe schlagen

    pt idiom high: mamão com açúcar
      means: something very easy | algo muy fácil | una cosa facilissima | quelque chose de très facile | algo muito fácil | etwas ganz Leichtes
      like: a piece of cake | pan comido | un gioco da ragazzi | un jeu d'enfant | - | ein Kinderspiel

    pt idiom high: {custa,custou,custaram,custam,custar} os olhos da cara
      means: it is very expensive | es carísimo | è carissimo | c'est très cher | é caríssimo | es ist sehr teuer
      like: cost an arm and a leg | costar un ojo de la cara | costare un occhio della testa | coûter les yeux de la tête | - | ein Vermögen kosten

    pt idiom high: {pagar,paguei,pagou,pagando} o pato
      unless before: no, assado, ao, com
      means: to be blamed for what others did | cargar con la culpa de otros | prendersi la colpa di altri | payer pour les fautes des autres | levar a culpa pelos outros | für die Fehler anderer büßen
      like: carry the can | pagar el pato | fare da capro espiatorio | payer les pots cassés | - | den Kopf hinhalten

    pt idiom medium: antes tarde do que nunca
      means: late is better than not at all | tarde es mejor que no hacerlo | fare tardi è meglio che non fare | il vaut mieux le faire tard que pas du tout | tarde é melhor do que não fazer | spät ist besser als gar nicht
      like: better late than never | más vale tarde que nunca | meglio tardi che mai | mieux vaut tard que jamais | - | besser spät als nie

    pt slang medium: {tá,está} ligado
      unless after: telefone, carro, computador, celular, motor, som, forno, o, ar, rádio
      unless before: o, a, na, no, em, ao, à
      means: you know | ya sabes | sai com'è | tu vois | você sabe | weißt du
      like: - | ¿sabes? | - | - | - | weißte

    pt culturalReference high: saudade / saudades
      means: the longing for somebody or something far away | la añoranza de alguien o algo lejano | la nostalgia di qualcuno o qualcosa di lontano | le manque de quelqu'un ou de quelque chose de lointain | a falta que faz alguém ou algo distante | die Sehnsucht nach jemandem oder etwas in der Ferne
      like: - | - | - | - | - | -

    pt culturalReference medium: {festa,festas} {junina,juninas}
      means: a folk feast in June with bonfires, dancing and corn dishes in Brazil | una fiesta popular de junio con hogueras, bailes y platos de maíz en Brasil | una festa popolare di giugno con falò, balli e piatti di mais in Brasile | une fête populaire de juin avec feux, danses et plats de maïs au Brésil | uma festa popular de junho com fogueira, dança e comidas de milho | ein Volksfest im Juni mit Feuer, Tanz und Maisgerichten in Brasilien
      like: - | - | - | - | - | -

    pt formality low: atenciosamente / {prezado senhor,prezada senhora,prezados senhores}
      means: a formal courtesy in letters | una cortesía formal en las cartas | una cortesia formale nelle lettere | une politesse formelle dans les lettres | uma cortesia formal em cartas | eine förmliche Höflichkeit in Briefen
      like: - | - | - | - | - | -
    """#
}
