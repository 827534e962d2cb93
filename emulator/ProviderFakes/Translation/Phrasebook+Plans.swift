extension Phrasebook {
  /// Meeting up, making plans and being late.
  static let plans = #"""
    Hey, let's meet for coffee tomorrow! | ¡Oye, quedemos mañana para tomar un café! | Ehi, incontriamoci per un caffè domani! | Hé, on se retrouve pour un café demain ! | Ei, vamos tomar um café amanhã! | Hey, lass uns morgen auf einen Kaffee treffen!
    Let's meet tomorrow! | ¡Quedemos mañana! | Incontriamoci domani! | On se voit demain ! | Vamos nos encontrar amanhã! | Lass uns morgen treffen!
    Do you want to grab a coffee? | ¿Quieres tomar un café? | Ti va un caffè? | Tu veux prendre un café ? | Quer tomar um café? | Willst du einen Kaffee trinken gehen?
    Are you free tonight? | ¿Estás libre esta noche? | Sei libero stasera? | Tu es libre ce soir ? | Você está livre hoje à noite? | Hast du heute Abend Zeit?
    Are you free tomorrow? | ¿Estás libre mañana? | Sei libero domani? | Tu es libre demain ? | Você está livre amanhã? | Hast du morgen Zeit?
    Are you free this weekend? | ¿Estás libre este fin de semana? | Sei libero questo fine settimana? | Tu es libre ce week-end ? | Você está livre neste fim de semana? | Hast du dieses Wochenende Zeit?
    What are you doing tonight? | ¿Qué haces esta noche? | Cosa fai stasera? | Tu fais quoi ce soir ? | O que você vai fazer hoje à noite? | Was machst du heute Abend?
    What are you doing this weekend? | ¿Qué haces este fin de semana? | Cosa fai questo fine settimana? | Tu fais quoi ce week-end ? | O que você vai fazer no fim de semana? | Was machst du am Wochenende?
    What are you doing? | ¿Qué haces? | Cosa stai facendo? | Tu fais quoi ? | O que você está fazendo? | Was machst du gerade?
    What time? | ¿A qué hora? | A che ora? | À quelle heure ? | A que horas? | Um wie viel Uhr?
    What time shall we meet? | ¿A qué hora quedamos? | A che ora ci vediamo? | On se retrouve à quelle heure ? | A que horas a gente se encontra? | Um wie viel Uhr treffen wir uns?
    Where shall we meet? | ¿Dónde quedamos? | Dove ci vediamo? | On se retrouve où ? | Onde a gente se encontra? | Wo treffen wir uns?
    Where are you? | ¿Dónde estás? | Dove sei? | Tu es où ? | Onde você está? | Wo bist du?
    When are you coming? | ¿Cuándo vienes? | Quando vieni? | Tu viens quand ? | Quando você vem? | Wann kommst du?
    Are you coming? | ¿Vienes? | Vieni? | Tu viens ? | Você vem? | Kommst du?
    Can I come too? | ¿Puedo ir yo también? | Posso venire anch'io? | Je peux venir aussi ? | Posso ir também? | Kann ich auch kommen?
    Who's coming? | ¿Quién viene? | Chi viene? | Qui vient ? | Quem vem? | Wer kommt alles?
    Count me in! | ¡Me apunto! | Ci sto! | Je suis partant ! | Tô dentro! | Ich bin dabei!
    See you at eight! | ¡Nos vemos a las ocho! | Ci vediamo alle otto! | On se voit à huit heures ! | A gente se vê às oito! | Wir sehen uns um acht!
    See you there! | ¡Nos vemos allí! | Ci vediamo lì! | On se voit là-bas ! | A gente se vê lá! | Wir sehen uns dort!
    At the usual place? | ¿En el sitio de siempre? | Al solito posto? | Au même endroit que d'habitude ? | No lugar de sempre? | Am üblichen Treffpunkt?
    Let's meet at the station. | Quedamos en la estación. | Vediamoci alla stazione. | On se retrouve à la gare. | A gente se encontra na estação. | Treffen wir uns am Bahnhof.
    Let's go to the cinema! | ¡Vamos al cine! | Andiamo al cinema! | Allons au cinéma ! | Vamos ao cinema! | Lass uns ins Kino gehen!
    Let's go to the beach! | ¡Vamos a la playa! | Andiamo al mare! | Allons à la plage ! | Vamos à praia! | Lass uns an den Strand gehen!
    Let's go for a walk! | ¡Vamos a dar un paseo! | Andiamo a fare una passeggiata! | Allons nous promener ! | Vamos dar uma volta! | Lass uns spazieren gehen!
    Let's go! | ¡Vamos! | Andiamo! | On y va ! | Vamos! | Los geht's!
    I can't today. | Hoy no puedo. | Oggi non posso. | Je ne peux pas aujourd'hui. | Hoje não posso. | Heute kann ich nicht.
    I can't tonight, sorry. | Esta noche no puedo, lo siento. | Stasera non posso, mi dispiace. | Je ne peux pas ce soir, désolé. | Hoje à noite não posso, desculpa. | Heute Abend kann ich nicht, tut mir leid.
    Another time! | ¡Otro día! | Un'altra volta! | Une autre fois ! | Fica para a próxima! | Ein andermal!
    Can we move it to Friday? | ¿Podemos pasarlo al viernes? | Possiamo spostare a venerdì? | On peut décaler à vendredi ? | Podemos mudar para sexta? | Können wir es auf Freitag verschieben?
    Does tomorrow work for you? | ¿Te viene bien mañana? | Domani ti va bene? | Demain, ça te va ? | Amanhã está bom para você? | Passt es dir morgen?
    That works for me. | Me viene bien. | Per me va bene. | Ça me va. | Para mim está bom. | Das passt mir.
    I'm on my way! | ¡Voy de camino! | Sto arrivando! | J'arrive ! | Estou a caminho! | Ich bin unterwegs!
    I'm almost there! | ¡Ya casi llego! | Sono quasi arrivato! | J'y suis presque ! | Estou quase chegando! | Ich bin fast da!
    I'm here! | ¡Ya estoy aquí! | Sono qui! | Je suis là ! | Cheguei! | Ich bin da!
    I'll be there in five minutes. | Llego en cinco minutos. | Arrivo tra cinque minuti. | J'arrive dans cinq minutes. | Chego em cinco minutos. | Ich bin in fünf Minuten da.
    I'll be there in ten minutes. | Llego en diez minutos. | Arrivo tra dieci minuti. | J'arrive dans dix minutes. | Chego em dez minutos. | Ich bin in zehn Minuten da.
    I'm running late. | Voy con retraso. | Sono in ritardo. | Je suis en retard. | Estou atrasado. | Ich bin spät dran.
    I'm running late, sorry! | ¡Voy con retraso, lo siento! | Sono in ritardo, scusa! | Je suis en retard, désolé ! | Estou atrasado, desculpa! | Ich bin spät dran, sorry!
    I'm stuck in traffic. | Estoy en un atasco. | Sono bloccato nel traffico. | Je suis coincé dans les bouchons. | Estou preso no trânsito. | Ich stehe im Stau.
    I missed the bus. | He perdido el autobús. | Ho perso l'autobus. | J'ai raté le bus. | Perdi o ônibus. | Ich habe den Bus verpasst.
    Wait for me! | ¡Espérame! | Aspettami! | Attends-moi ! | Me espera! | Warte auf mich!
    Start without me. | Empezad sin mí. | Iniziate senza di me. | Commencez sans moi. | Comecem sem mim. | Fangt ohne mich an.
    Take your time. | Tómate tu tiempo. | Fai con calma. | Prends ton temps. | Sem pressa. | Lass dir Zeit.
    Hurry up! | ¡Date prisa! | Sbrigati! | Dépêche-toi ! | Anda logo! | Beeil dich!
    Don't be late! | ¡No llegues tarde! | Non fare tardi! | Ne sois pas en retard ! | Não se atrase! | Komm nicht zu spät!
    """#
}
