extension Phrasebook {
  /// The first messages of a new chat, which try it or begin a conversation.
  static let firstMessages = #"""
    Test | Prueba | Prova | Test | Teste | Test
    Testing | Probando | Sto provando | Je teste | Testando | Ich teste gerade
    Test # | Prueba # | Prova # | Test # | Teste # | Test #
    Just a test. | Solo es una prueba. | È solo una prova. | C'est juste un test. | É só um teste. | Nur ein Test.
    This is a test. | Esto es una prueba. | Questa è una prova. | Ceci est un test. | Isto é um teste. | Das ist ein Test.
    This is a test message. | Este es un mensaje de prueba. | Questo è un messaggio di prova. | Ceci est un message de test. | Esta é uma mensagem de teste. | Das ist eine Testnachricht.
    My first message! | ¡Mi primer mensaje! | Il mio primo messaggio! | Mon premier message ! | Minha primeira mensagem! | Meine erste Nachricht!
    Hello world | Hola, mundo | Ciao, mondo | Bonjour le monde | Olá, mundo | Hallo Welt
    Hello, world! | ¡Hola, mundo! | Ciao, mondo! | Bonjour le monde ! | Olá, mundo! | Hallo, Welt!
    Hello there! | ¡Hola! | Ciao! | Bonjour ! | Olá! | Hallo!
    Hey there! | ¡Hola! | Ciao! | Salut ! | Oi! | Hallo!
    Hi all! | ¡Hola a todos! | Ciao a tutti! | Salut tout le monde ! | Oi, gente! | Hallo zusammen!
    Hello everyone! | ¡Hola a todos! | Ciao a tutti! | Bonjour à tous ! | Olá, pessoal! | Hallo zusammen!
    Hey guys! | ¡Hola, chicos! | Ciao ragazzi! | Salut les amis ! | Oi, pessoal! | Hey Leute!
    Hi again! | ¡Hola otra vez! | Ciao di nuovo! | Rebonjour ! | Oi de novo! | Hallo nochmal!
    Sup? | ¿Qué pasa? | Che si dice? | Quoi de neuf ? | E aí? | Was geht?
    Whats up? | ¿Qué pasa? | Che si dice? | Quoi de neuf ? | E aí? | Was geht?
    Morning! | ¡Buenos días! | Buongiorno! | Bonjour ! | Bom dia! | Guten Morgen!
    How are you doing? | ¿Cómo te va? | Come te la passi? | Comment tu vas ? | Como você vai? | Wie läuft's bei dir?
    How is it going? | ¿Qué tal? | Come va? | Ça va ? | Tudo bem? | Wie geht's?
    How are you today? | ¿Cómo estás hoy? | Come stai oggi? | Comment vas-tu aujourd'hui ? | Como você está hoje? | Wie geht es dir heute?
    How have you been? | ¿Cómo has estado? | Come te la sei passata? | Qu'est-ce que tu deviens ? | Como você tem passado? | Wie ist es dir ergangen?
    How are things? | ¿Cómo va todo? | Come vanno le cose? | Tout se passe bien ? | Como vão as coisas? | Wie läuft's?
    What about you? | ¿Y tú? | E tu? | Et toi ? | E você? | Und du?
    Are you okay? | ¿Estás bien? | Stai bene? | Tu vas bien ? | Você está bem? | Geht es dir gut?
    I'm fine. | Estoy bien. | Sto bene. | Je vais bien. | Estou bem. | Mir geht's gut.
    I'm good. | Estoy bien. | Sto bene. | Je vais bien. | Estou bem. | Mir geht's gut.
    I'm good, thanks! | ¡Bien, gracias! | Bene, grazie! | Ça va, merci ! | Tudo bem, obrigado! | Gut, danke!
    Good, and you? | Bien, ¿y tú? | Bene, e tu? | Ça va, et toi ? | Tudo bem, e você? | Gut, und dir?
    Very well, thank you! | ¡Muy bien, gracias! | Molto bene, grazie! | Très bien, merci ! | Muito bem, obrigado! | Sehr gut, danke!
    So-so. | Más o menos. | Così così. | Comme ci, comme ça. | Mais ou menos. | So lala.
    All good! | ¡Todo bien! | Tutto bene! | Tout va bien ! | Tudo certo! | Alles gut!
    Nothing much. | Nada especial. | Niente di che. | Pas grand-chose. | Nada de mais. | Nicht viel.
    Nice to see you! | ¡Me alegro de verte! | Che bello vederti! | Ça fait plaisir de te voir ! | Que bom te ver! | Schön, dich zu sehen!
    What's your name? | ¿Cómo te llamas? | Come ti chiami? | Comment tu t'appelles ? | Como você se chama? | Wie heißt du?
    Who are you? | ¿Quién eres? | Chi sei? | Tu es qui ? | Quem é você? | Wer bist du?
    Who is this? | ¿Quién es? | Chi è? | C'est qui ? | Quem é? | Wer ist da?
    Where are you from? | ¿De dónde eres? | Di dove sei? | Tu viens d'où ? | De onde você é? | Woher kommst du?
    Where do you live? | ¿Dónde vives? | Dove abiti? | Tu habites où ? | Onde você mora? | Wo wohnst du?
    How old are you? | ¿Cuántos años tienes? | Quanti anni hai? | Tu as quel âge ? | Quantos anos você tem? | Wie alt bist du?
    What do you do? | ¿A qué te dedicas? | Che lavoro fai? | Tu fais quoi dans la vie ? | O que você faz da vida? | Was machst du beruflich?
    What are you up to? | ¿En qué andas? | Che combini? | Qu'est-ce que tu fais de beau ? | O que você anda fazendo? | Was treibst du so?
    What time is it? | ¿Qué hora es? | Che ore sono? | Il est quelle heure ? | Que horas são? | Wie spät ist es?
    What? | ¿Qué? | Cosa? | Quoi ? | O quê? | Was?
    What's that? | ¿Qué es eso? | Che cos'è quello? | C'est quoi, ça ? | O que é isso? | Was ist denn das?
    Are you there? | ¿Estás ahí? | Ci sei? | Tu es là ? | Você está aí? | Bist du da?
    Anyone there? | ¿Hay alguien ahí? | C'è qualcuno? | Il y a quelqu'un ? | Tem alguém aí? | Ist da jemand?
    Is anyone here? | ¿Hay alguien aquí? | C'è qualcuno qui? | Il y a quelqu'un ici ? | Tem alguém aqui? | Ist jemand hier?
    Can you see this? | ¿Puedes ver esto? | Riesci a vedere questo? | Tu vois ça ? | Você consegue ver isto? | Kannst du das sehen?
    Can you read this? | ¿Puedes leer esto? | Riesci a leggere questo? | Tu arrives à lire ça ? | Você consegue ler isto? | Kannst du das lesen?
    Can you hear me? | ¿Me oyes? | Mi senti? | Tu m'entends ? | Está me ouvindo? | Hörst du mich?
    Does it work? | ¿Funciona? | Funziona? | Est-ce que ça marche ? | Funciona? | Funktioniert es?
    Does this work? | ¿Funciona esto? | Questo funziona? | Ça marche, ça ? | Isto funciona? | Funktioniert das?
    Is this working? | ¿Está funcionando? | Sta funzionando? | Est-ce que ça fonctionne ? | Isto está funcionando? | Geht das?
    It works! | ¡Funciona! | Funziona! | Ça fonctionne ! | Funciona! | Es funktioniert!
    It doesn't work. | No funciona. | Non funziona. | Ça ne marche pas. | Não funciona. | Es funktioniert nicht.
    LOL | Jajaja | Ahahah | MDR | Hahaha | Lol
    Haha | Jaja | Ahah | Haha | Haha | Haha
    Hahaha | Jajaja | Ahahah | Hahaha | Hahaha | Hahaha
    OMG! | ¡Madre mía! | Oddio! | Oh mon Dieu ! | Meu Deus! | Oh mein Gott!
    Oh my God! | ¡Madre mía! | Oddio! | Oh mon Dieu ! | Meu Deus! | Oh mein Gott!
    Wow! | ¡Guau! | Wow! | Waouh ! | Uau! | Wow!
    Oops! | ¡Uy! | Ops! | Oups ! | Opa! | Ups!
    Nice! | ¡Qué bien! | Bello! | Sympa ! | Legal! | Schön!
    Very good! | ¡Muy bien! | Molto bene! | Très bien ! | Muito bom! | Sehr gut!
    Good job! | ¡Buen trabajo! | Bel lavoro! | Beau travail ! | Bom trabalho! | Gute Arbeit!
    Amazing! | ¡Asombroso! | Incredibile! | Incroyable ! | Sensacional! | Unglaublich!
    Wonderful! | ¡Maravilloso! | Meraviglioso! | Merveilleux ! | Maravilhoso! | Wunderbar!
    Interesting! | ¡Interesante! | Interessante! | Intéressant ! | Interessante! | Interessant!
    Yeah | Sí | Sì | Ouais | Sim | Ja
    Yep | Sí | Sì | Ouais | Sim | Jep
    Nope | No | No | Non | Não | Nö
    OK, thanks! | ¡Vale, gracias! | Va bene, grazie! | D'accord, merci ! | Tá bom, obrigado! | Okay, danke!
    Alright! | ¡De acuerdo! | Va bene! | D'accord ! | Tá bom! | In Ordnung!
    Done! | ¡Hecho! | Fatto! | C'est fait ! | Pronto! | Fertig!
    Are you ready? | ¿Estás listo? | Sei pronto? | Tu es prêt ? | Você está pronto? | Bist du bereit?
    I'm ready! | ¡Estoy listo! | Sono pronto! | Je suis prêt ! | Estou pronto! | Ich bin bereit!
    Let's start! | ¡Empecemos! | Cominciamo! | On commence ! | Vamos começar! | Fangen wir an!
    Wait! | ¡Espera! | Aspetta! | Attends ! | Espera! | Warte!
    One moment, please. | Un momento, por favor. | Un momento, per favore. | Un instant, s'il te plaît. | Um momento, por favor. | Einen Moment, bitte.
    Just a second! | ¡Un segundo! | Un secondo! | Une seconde ! | Um segundo! | Eine Sekunde!
    I'll be right back. | Vuelvo enseguida. | Torno subito. | Je reviens tout de suite. | Já volto. | Ich bin gleich zurück.
    Not now. | Ahora no. | Non ora. | Pas maintenant. | Agora não. | Jetzt nicht.
    Not yet. | Todavía no. | Non ancora. | Pas encore. | Ainda não. | Noch nicht.
    Today? | ¿Hoy? | Oggi? | Aujourd'hui ? | Hoje? | Heute?
    Tomorrow? | ¿Mañana? | Domani? | Demain ? | Amanhã? | Morgen?
    Tonight? | ¿Esta noche? | Stasera? | Ce soir ? | Hoje à noite? | Heute Abend?
    Me too! | ¡Yo también! | Anch'io! | Moi aussi ! | Eu também! | Ich auch!
    Me neither. | Yo tampoco. | Neanch'io. | Moi non plus. | Eu também não. | Ich auch nicht.
    I like it! | ¡Me gusta! | Mi piace! | J'aime bien ! | Gostei! | Das gefällt mir!
    I love it! | ¡Me encanta! | Lo adoro! | J'adore ! | Adorei! | Ich finde es toll!
    Thx! | ¡Gracias! | Grazie! | Merci ! | Obrigado! | Danke!
    Thank you very much! | ¡Muchas gracias! | Grazie mille! | Merci beaucoup ! | Muito obrigado! | Vielen Dank!
    No worries! | ¡No pasa nada! | Nessun problema! | Pas de souci ! | Sem problema! | Kein Ding!
    My pleasure! | ¡Un placer! | È un piacere! | Avec plaisir ! | Foi um prazer! | Mit Vergnügen!
    Excuse me. | Perdona. | Scusami. | Excuse-moi. | Com licença. | Entschuldige.
    Help! | ¡Ayuda! | Aiuto! | À l'aide ! | Socorro! | Hilfe!
    I need help. | Necesito ayuda. | Ho bisogno di aiuto. | J'ai besoin d'aide. | Preciso de ajuda. | Ich brauche Hilfe.
    I have a question. | Tengo una pregunta. | Ho una domanda. | J'ai une question. | Tenho uma pergunta. | Ich habe eine Frage.
    Can I ask you something? | ¿Te puedo preguntar algo? | Posso chiederti una cosa? | Je peux te demander quelque chose ? | Posso te perguntar uma coisa? | Kann ich dich etwas fragen?
    I'm new here. | Soy nuevo aquí. | Sono nuovo qui. | Je suis nouveau ici. | Sou novo por aqui. | Ich bin neu hier.
    No way! | ¡No me digas! | Ma va! | Pas possible ! | Não acredito! | Das gibt's doch nicht!
    Seriously? | ¿En serio? | Sul serio? | Sérieusement ? | Sério mesmo? | Ernsthaft?
    Good to know. | Bueno es saberlo. | Buono a sapersi. | C'est bon à savoir. | Bom saber. | Gut zu wissen.
    See you! | ¡Nos vemos! | Ci vediamo! | À la prochaine ! | A gente se vê! | Wir sehen uns!
    Goodbye! | ¡Adiós! | Arrivederci! | Au revoir ! | Adeus! | Auf Wiedersehen!
    Bye bye! | ¡Adiós! | Ciao ciao! | Au revoir ! | Tchau! | Tschüss!
    Talk to you later! | ¡Hablamos luego! | Ci sentiamo dopo! | On se parle plus tard ! | A gente se fala depois! | Wir sprechen uns später!
    """#
}
