extension Phrasebook {
  /// Food, home, work, school and the weather.
  static let dailyLife = #"""
    I'm hungry. | Tengo hambre. | Ho fame. | J'ai faim. | Estou com fome. | Ich habe Hunger.
    I'm hungry! 🍕 | ¡Tengo hambre! 🍕 | Ho fame! 🍕 | J'ai faim ! 🍕 | Estou com fome! 🍕 | Ich habe Hunger! 🍕
    I'm thirsty. | Tengo sed. | Ho sete. | J'ai soif. | Estou com sede. | Ich habe Durst.
    Enjoy your meal! | ¡Buen provecho! | Buon appetito! | Bon appétit ! | Bom apetite! | Guten Appetit!
    Have you eaten? | ¿Has comido? | Hai mangiato? | Tu as mangé ? | Você já comeu? | Hast du schon gegessen?
    What's for dinner? | ¿Qué hay de cenar? | Cosa c'è per cena? | On mange quoi ce soir ? | O que tem para o jantar? | Was gibt's zum Abendessen?
    Dinner is ready! | ¡La cena está lista! | La cena è pronta! | Le dîner est prêt ! | O jantar está pronto! | Das Abendessen ist fertig!
    Shall we order pizza? | ¿Pedimos una pizza? | Ordiniamo una pizza? | On commande une pizza ? | Vamos pedir uma pizza? | Sollen wir Pizza bestellen?
    Do you want to have lunch together? | ¿Quieres que comamos juntos? | Vuoi pranzare insieme? | Tu veux qu'on déjeune ensemble ? | Quer almoçar comigo? | Wollen wir zusammen Mittag essen?
    Do you want to have dinner together? | ¿Quieres que cenemos juntos? | Vuoi cenare insieme? | Tu veux qu'on dîne ensemble ? | Quer jantar comigo? | Wollen wir zusammen zu Abend essen?
    I'll book a table. | Reservo una mesa. | Prenoto un tavolo. | Je réserve une table. | Vou reservar uma mesa. | Ich reserviere einen Tisch.
    I'm cooking. | Estoy cocinando. | Sto cucinando. | Je cuisine. | Estou cozinhando. | Ich koche gerade.
    It was delicious! | ¡Estaba riquísimo! | Era buonissimo! | C'était délicieux ! | Estava uma delícia! | Es war sehr lecker!
    I'm vegetarian. | Soy vegetariano. | Sono vegetariano. | Je suis végétarien. | Sou vegetariano. | Ich bin Vegetarier.
    It's on me! | ¡Invito yo! | Offro io! | C'est moi qui invite ! | É por minha conta! | Das geht auf mich!
    I'm at home. | Estoy en casa. | Sono a casa. | Je suis à la maison. | Estou em casa. | Ich bin zu Hause.
    I'm home! | ¡Ya estoy en casa! | Sono a casa! | Je suis rentré ! | Cheguei em casa! | Ich bin wieder zu Hause!
    I'm going home. | Me voy a casa. | Vado a casa. | Je rentre à la maison. | Vou para casa. | Ich gehe nach Hause.
    I'm going shopping. | Voy de compras. | Vado a fare la spesa. | Je vais faire des courses. | Vou fazer compras. | Ich gehe einkaufen.
    Do we need anything? | ¿Necesitamos algo? | Ci serve qualcosa? | On a besoin de quelque chose ? | Precisamos de alguma coisa? | Brauchen wir noch etwas?
    Don't forget the milk! | ¡No te olvides de la leche! | Non dimenticare il latte! | N'oublie pas le lait ! | Não esquece o leite! | Vergiss die Milch nicht!
    I can't find my keys. | No encuentro mis llaves. | Non trovo le chiavi. | Je ne trouve pas mes clés. | Não acho minhas chaves. | Ich finde meine Schlüssel nicht.
    I'm at work. | Estoy en el trabajo. | Sono al lavoro. | Je suis au travail. | Estou no trabalho. | Ich bin auf der Arbeit.
    I'm working from home today. | Hoy trabajo desde casa. | Oggi lavoro da casa. | Je travaille de chez moi aujourd'hui. | Hoje estou trabalhando de casa. | Ich arbeite heute von zu Hause.
    I'm in a meeting. | Estoy en una reunión. | Sono in riunione. | Je suis en réunion. | Estou em reunião. | Ich bin in einer Besprechung.
    The meeting starts at nine. | La reunión empieza a las nueve. | La riunione inizia alle nove. | La réunion commence à neuf heures. | A reunião começa às nove. | Die Besprechung fängt um neun an.
    I'm busy right now. | Ahora no tengo tiempo. | Adesso ho da fare. | Je suis occupé en ce moment. | Estou ocupado agora. | Ich bin gerade beschäftigt.
    I have to work late today. | Hoy tengo que trabajar hasta tarde. | Oggi devo lavorare fino a tardi. | Je dois travailler tard aujourd'hui. | Hoje preciso trabalhar até tarde. | Ich muss heute länger arbeiten.
    I finish at six. | Salgo a las seis. | Finisco alle sei. | Je finis à six heures. | Saio às seis. | Ich habe um sechs Feierabend.
    I have a job interview tomorrow. | Mañana tengo una entrevista de trabajo. | Domani ho un colloquio di lavoro. | J'ai un entretien d'embauche demain. | Amanhã tenho uma entrevista de emprego. | Ich habe morgen ein Vorstellungsgespräch.
    I got the job! | ¡Me han dado el trabajo! | Ho ottenuto il lavoro! | J'ai eu le poste ! | Consegui o emprego! | Ich habe den Job bekommen!
    I got the job! 🎉 | ¡Me han dado el trabajo! 🎉 | Ho ottenuto il lavoro! 🎉 | J'ai eu le poste ! 🎉 | Consegui o emprego! 🎉 | Ich habe den Job bekommen! 🎉
    How was the interview? | ¿Qué tal la entrevista? | Com'è andato il colloquio? | Comment s'est passé l'entretien ? | Como foi a entrevista? | Wie lief das Vorstellungsgespräch?
    I have to study. | Tengo que estudiar. | Devo studiare. | Je dois réviser. | Tenho que estudar. | Ich muss lernen.
    I passed the exam! | ¡He aprobado el examen! | Ho passato l'esame! | J'ai réussi mon examen ! | Passei na prova! | Ich habe die Prüfung bestanden!
    I'm learning Italian. | Estoy aprendiendo italiano. | Sto imparando l'italiano. | J'apprends l'italien. | Estou aprendendo italiano. | Ich lerne Italienisch.
    Do you speak English? | ¿Hablas inglés? | Parli inglese? | Tu parles anglais ? | Você fala inglês? | Sprichst du Englisch?
    What's the weather like? | ¿Qué tiempo hace? | Che tempo fa? | Il fait quel temps ? | Como está o tempo? | Wie ist das Wetter?
    It's raining. | Está lloviendo. | Sta piovendo. | Il pleut. | Está chovendo. | Es regnet.
    It's snowing! | ¡Está nevando! | Sta nevicando! | Il neige ! | Está nevando! | Es schneit!
    It's so hot today! | ¡Qué calor hace hoy! | Che caldo oggi! | Qu'est-ce qu'il fait chaud aujourd'hui ! | Que calor hoje! | Ist das heiß heute!
    It's really cold today. | Hoy hace mucho frío. | Oggi fa molto freddo. | Il fait très froid aujourd'hui. | Hoje está muito frio. | Heute ist es echt kalt.
    The sun is shining! | ¡Hace sol! | C'è il sole! | Il y a du soleil ! | Está fazendo sol! | Die Sonne scheint!
    What a beautiful day! | ¡Qué día tan bonito! | Che bella giornata! | Quelle belle journée ! | Que dia lindo! | Was für ein schöner Tag!
    Take an umbrella! | ¡Llévate un paraguas! | Prendi l'ombrello! | Prends un parapluie ! | Leva um guarda-chuva! | Nimm einen Regenschirm mit!
    """#
}
