extension CommonWords {
  static let spanish = """
    a ahora ahí al algo alguien allí amiga amigo amigos amo antes aquí así aunque avisa ayer ayuda
    año años bebé bien bonita bonito buena buenas bueno buenos buenísimo cada calle cansada cansado
    casa casi cena cenar cerca cierra claro coche comer comida como comprar con conmigo contesta
    contigo cosa cosas creo cual cuando cumpleaños cuál cuándo cuánto cómo de dejar del desde
    después dice dije dijo dime dinero domingo donde dormir dos día días dónde el ella ellos en
    encima enhorabuena entiendo entonces entre era eres es esa escribir ese eso esos espera esperar
    espero esta estaba estaban estado estamos estar este esto estos estoy está están estás favor
    felicidades feliz fiesta fin foto fue fui gato genial gente gracias gran gusta gusto ha hablar
    hablas hace hacer hacia hago hambre han has hasta hay he hecho hemos hermana hermano hija hijo
    hola hora horas hoy idea igual igualmente importa ir jaja jajaja jueves la las le leer lejos
    les listo llama llamar llamo llegar llego llueve llámame lo los luego lugar lunes madre mal
    manda mandar martes mañana me mejor menos mi mientras minuto minutos mis mismo miércoles
    momento mucha muchas mucho muchos muy mándame más mí mía nada nadie navidad necesito ni ninguno
    niños no noche noches nos nosotros nuestra nuestro nueva nuevo nunca o os otra otro padre para
    parece pasa perdón perfecto pero perro playa poco podemos podría por porfa porque problema
    pronto puede puedes puedo pues que quien quiere quieres quiero quizás quién qué sabe saber
    sabes salir se sea semana ser será si siempre siento siguiente sin sobre solo somos son soy su
    suerte sus sábado sé sí sólo tal también tan tanto tarde te teléfono tenemos tener tengo ti
    tiempo tienda tiene tienes toda todas todavía todo todos trabajar trabajo traer tren tu tú un
    una uno unos usted va vale vamos vas ve veces vemos venga ver verdad vez viaje vida viernes voy
    vuelta y ya yo él
    """

  static let italian = """
    a abbiamo adesso ai aiuto al alla alle allora altra altro amica amici amico amo anche ancora
    andare andiamo anni anno appena arrivato arrivo aspetta aspettare aspetto auguri avere avete
    aveva bambini bambino bella bello bene bere bocca brava bravo buon buona buonanotte buonasera
    buongiorno buono c'è cane capisco capito cara caro casa cena certo che chi chiama chiamami
    chiamare ci ciao ciò com'è come compleanno comprare con cosa cose così credo cui d' da dai dal
    dalla davvero degli dei del della delle dello dentro detto devi devo di dice dico dieci dimmi
    dire direi dispiace dobbiamo domani domenica dopo dormire dov'è dove due e ecco era eri ero
    essere fa facciamo faccio fai fame fanno fare fatto festa figlia figlio figurati fino forse
    forte foto fra fratello fuori gatto gente giorni giorno giovedì giusto già gli grande grazie ha
    hai hanno ho i idea ieri il importa in infatti insieme io l' la lavorare lavoro le lei li lo
    lontano loro lui lunedì ma macchina madre magari mai male mamma manda mandami mangiare mangiato
    mare martedì mattina me meglio meno mentre mercoledì mi mia miei mille minuti minuto mio modo
    molta molti molto momento mondo natale ne negozio nel nella nessuno niente no noi non nostra
    nostro notte nulla nuova nuovo o oggi ogni oh ora ore ormai oro ottima ottimo padre parla
    parlare parli parte per perché perfetto però piace piacere piove più po poco poi porta portare
    possiamo posso pranzo prego prendere prendo presto prima problema proprio prossima puoi può qua
    qual qualche qualcosa qualcuno quale quali quando quanto quasi quella quelle quello quest'
    questa queste questi questo qui quindi ragazzi risponde ritardo sa sabato sai sarà scrivere
    scrivi scrivimi scusa scusami se sei sembra sempre senti senza sera serata serio settimana si
    sia siamo siete so soldi solito solo sono sorella spero sta stai stanca stanco stanno stare
    stasera stata stato stavo sto strada su sua subito sul suo sì tanta tanti tanto tardi tavolo te
    telefono tempo ti tra treno troppo trovare trovo tu tua tuo tutta tutte tutti tutto un un' una
    uno va vabbè vado vai vede vedere vediamo vedo venerdì veramente vero verso via viaggio vicino
    vieni vita voglio voi volta vorrei vostro vuoi vuole è
    """

  static let french = """
    a acheter ah ai aide aime ainsi aller allez allons alors ami amie amis an anniversaire année
    ans appelle appelle-moi après arrive arriver arrête as assez attendre attends au aujourd'hui
    aura aussi autre autres aux avait avant avec avez avoir avons beau beaucoup belle besoin bien
    bientôt bisou bisous boire bon bonjour bonne bonsoir boulot bravo bébé c' c'est c'était car ce
    cela celui ces cet cette chance chaque chat chaude chez chien chose choses ci combien comme
    comment comprends compris contre coup crois d' d'accord dans de demain demande depuis des deux
    dimanche dire dis disait dit dix dois doit dommage donc donne dormi dormir dors drôle du
    déjeuner déjà désolé désolée dîner elle elles en encore enfants enfin entre envie envoie
    envoyer es espère est et eu eux faim faire fais fait famille fatigué fatiguée faut femme ferme
    fille fils fin fois font fort frère félicitations fête gare gens grand grave gros génial heure
    heures heureux hier homme ici idée il ils j' j'ai jamais je jeudi joli jolie jour journée jours
    joyeux jusqu' juste l' la le les leur leurs libre loin lui lundi là m' ma magasin maintenant
    mais maison mal maman manger mangé manques mardi matin me meilleur merci mercredi mes mieux
    mille minute minutes moi moins mois moment mon monde mort mère même n' ne neuf nom non nos
    notre nous nouveau nouvelle noël nuit on ont ou oublie oublié oui où par parce pardon parfait
    parle parler part pas passe passer pendant pense pensé personne petit petite peu peur peut peux
    photo plage plaisir plaît pleut plus possible pour pourquoi pourrais prends presque problème
    prochaine près puis pâques père qu' quand que quel quelle quelqu'un quelque question qui quoi
    raison ravi rentre rentrer rentres revoir rien rue répond réponds s' sa sais sait salut samedi
    sans se semaine sens sera serai ses si sinon soif soir soirée sois soit son sont sous souvent
    suis super sur sérieux sûr sœur t' ta tant tard te temps tes toi ton toujours tous tout toute
    toutes train travail trop trouve très tu téléphone tête un une va vais vas vendredi venir vers
    veulent veut veux vie viens vient voilà voir vois voit voiture vont vos votre voudrais vous
    voyage vrai vraiment vu y à ça école écrire écris était êtes être
    """

  static let portuguese = """
    a acho aconteceu agora ainda ajuda algo algum alguma alguém ali almoço além amanhã amiga amigo
    amigos amo amor aniversário ano anos antes ao aos apenas aqui as assim atrasado até avisa aí
    bebê beijinhos beijo beijos bem boa boas bom breve cachorro caminho cansada cansado cara carro
    casa celular certeza certo chega chegar chove claro coisa coisas com comer comida comigo como
    comprar conhecer consegui consigo contigo criança crianças cá da dar das de deixa dela dele
    deles demais depois desculpa desculpe desde deste deu deus devagar dia dias dinheiro disse diz
    dizer do dois domingo dormir dos dá e ela elas ele eles em embora entendi entendo entre então
    era escrever escrevo espera esperar espero essa esse estar estava este estou está estás estão
    eu fala falando falar favor faz fazer faço fecha feliz festa fica ficar fico filha filho fim
    foi fome fora foram foto fui férias galera gato gente gosta gosto grande hoje hora horas há
    ideia importa ir irmã irmão isso isto jantar já legal ler lhe liga ligar ligo linda lindo logo
    loja longe lugar lá maior mais mal manda mandar mande manhã mas me melhor menos mesma mesmo meu
    meus mim minha minhas minuto minutos momento muita muitas muito muitos mundo mãe na nada nas
    natal nem nenhum ninguém no noite nos nossa nosso nova novo num numa nunca não nós o obrigada
    obrigado oi olá onde ontem os ou outra outro pai para parabéns parece pela pelo pensar perdi
    perfeito perto pessoal pessoas pode podemos poder por porque posso pouco pra praia prazer
    precisa preciso primeiro pro problema pronto própria próxima próximo páscoa qual qualquer
    quando quanto quarta quarto quase que quem quer querem queria quero quinta quê rapaz responde
    rua sabe saber sabes saudade saudades se segunda sei seja sem semana sempre senhor sente ser
    será seu seus sexta si sim sobre somos sou sua suas sábado só talvez também tanto tarde tchau
    te telefone tem temos tempo tenho ter terça teu ti tinha tipo toda todas todo todos trabalhar
    trabalho trazer trem tu tua tudo tá tão têm um uma umas uns vai valeu vamos vem ver vez vezes
    viagem vida vir viu você vocês volta vou vão à às é és ótima ótimo
    """

  static let romanian = """
    a abia acasă aceasta această acel acest acesta aci acolo acum ai aia aici ajutor al ale alt
    alta altă am amândoi an ani apoi aproape are asta astăzi atunci atât au avea avem aveți azi așa
    așteaptă aștept bani bine bun bune bună ca care casa ce ceva chiar cine cineva copii copil cred
    cu cum cumva câine când cât câteva câți că da dacă dar dată de deci deja departe despre deși
    din dintre diseară distracție doamna doar doi domnul dorm dormi două drag dragă drum duminică
    după ea ei el ele era eram este esti eu ești fac face facem faci fața fericit fi fie fiecare
    fii foame foarte fost frate frumoasă frumos fără gata general greu hai haide ia iar idee ieri
    imediat iubesc iubire joi la le lor lucru lui lume luni lângă mai mama mare marți mașină mea
    mei meu mi mie miercuri mine minute mod mult multe mulți mulțumesc mulțumim mâine mâncare mă
    mănânc nevoie nici niciodată nimeni nimic noapte noi nostru nou nu numai o oameni oare obosit
    om ore ori orice oră pa pare parte pe pentru peste petrecere pisica plec ploua plouă poate
    poftim pot poți prea prieten prieteni prima primul prin pun puțin până părea repede rog rău sa
    salut sau scrie scuze se seara seară serios sigur singur soră spune spus stai stradă sunt
    suntem sunteți sună sus sâmbătă să săptămâna ta tare tată te telefon timp toate toată tot
    totuși toți trebuie tren trimite tu târziu tău un una unde unei unii unu unui unul va vedem vei
    veni viața vii vin vine vineri voi vom vor vorbesc vorbi vorbim vrea vreau vrei vreme vă văd
    zece zi zice zile zis ziua îi îl îmi împreună în înainte înapoi încă întotdeauna între întâi
    întârziat înțeleg își îți școală
    """
}
