extension Phrasebook {
  /// Phrases with a name (`@`), a number (`#`) or a time (`#:#`), which stay unchanged.
  static let templates = #"""
    Hi, @! | ¡Hola, @! | Ciao, @! | Salut, @ ! | Oi, @! | Hallo, @!
    Hello, @! | ¡Hola, @! | Ciao, @! | Bonjour, @ ! | Olá, @! | Hallo, @!
    Hey @, how are you? | Hola, @, ¿cómo estás? | Ciao @, come stai? | Salut @, comment ça va ? | Oi, @, como você está? | Hey @, wie geht's dir?
    Hi @, how are you? | Hola, @, ¿cómo estás? | Ciao @, come stai? | Salut @, comment vas-tu ? | Oi, @, como vai? | Hallo @, wie geht's?
    Good morning, @! | ¡Buenos días, @! | Buongiorno, @! | Bonjour, @ ! | Bom dia, @! | Guten Morgen, @!
    Good night, @! | ¡Buenas noches, @! | Buonanotte, @! | Bonne nuit, @ ! | Boa noite, @! | Gute Nacht, @!
    Bye, @! | ¡Adiós, @! | Ciao ciao, @! | Au revoir, @ ! | Tchau, @! | Tschüss, @!
    See you tomorrow, @! | ¡Hasta mañana, @! | A domani, @! | À demain, @ ! | Até amanhã, @! | Bis morgen, @!
    See you soon, @! | ¡Hasta pronto, @! | A presto, @! | À bientôt, @ ! | Até breve, @! | Bis bald, @!
    Thanks, @! | ¡Gracias, @! | Grazie, @! | Merci, @ ! | Obrigado, @! | Danke, @!
    Thank you so much, @! | ¡Muchísimas gracias, @! | Grazie mille, @! | Merci beaucoup, @ ! | Muito obrigado, @! | Vielen Dank, @!
    Sorry, @! | ¡Perdón, @! | Scusa, @! | Désolé, @ ! | Desculpa, @! | Entschuldigung, @!
    Please, @! | ¡Por favor, @! | Per favore, @! | S'il te plaît, @ ! | Por favor, @! | Bitte, @!
    Congratulations, @! | ¡Felicidades, @! | Congratulazioni, @! | Félicitations, @ ! | Parabéns, @! | Herzlichen Glückwunsch, @!
    Happy birthday, @! | ¡Feliz cumpleaños, @! | Buon compleanno, @! | Joyeux anniversaire, @ ! | Feliz aniversário, @! | Alles Gute zum Geburtstag, @!
    Merry Christmas, @! | ¡Feliz Navidad, @! | Buon Natale, @! | Joyeux Noël, @ ! | Feliz Natal, @! | Frohe Weihnachten, @!
    Happy New Year, @! | ¡Feliz Año Nuevo, @! | Buon anno, @! | Bonne année, @ ! | Feliz Ano-Novo, @! | Frohes neues Jahr, @!
    Good luck, @! | ¡Buena suerte, @! | Buona fortuna, @! | Bonne chance, @ ! | Boa sorte, @! | Viel Glück, @!
    Get well soon, @! | ¡Que te mejores, @! | Guarisci presto, @! | Bon rétablissement, @ ! | Melhoras, @! | Gute Besserung, @!
    I miss you, @! | ¡Te echo de menos, @! | Mi manchi, @! | Tu me manques, @ ! | Estou com saudade, @! | Ich vermisse dich, @!
    I love you, @! | ¡Te quiero, @! | Ti amo, @! | Je t'aime, @ ! | Te amo, @! | Ich liebe dich, @!
    Where are you, @? | ¿Dónde estás, @? | Dove sei, @? | Tu es où, @ ? | Onde você está, @? | Wo bist du, @?
    Are you coming, @? | ¿Vienes, @? | Vieni, @? | Tu viens, @ ? | Você vem, @? | Kommst du, @?
    What do you think, @? | ¿Qué te parece, @? | Che ne pensi, @? | Qu'en penses-tu, @ ? | O que você acha, @? | Was meinst du, @?
    Welcome, @! | ¡Te damos la bienvenida, @! | Ti diamo il benvenuto, @! | Bienvenue, @ ! | Boas-vindas, @! | Willkommen, @!
    My name is @. | Me llamo @. | Mi chiamo @. | Je m'appelle @. | Meu nome é @. | Ich heiße @.
    This is @. | Este es @. | Questo è @. | C'est @. | Este é @. | Das ist @.
    Say hi to @! | ¡Saluda a @ de mi parte! | Saluta @ da parte mia! | Passe le bonjour à @ ! | Manda um abraço para @! | Grüß @ von mir!
    @ says hi. | @ te manda saludos. | @ ti saluta. | @ te passe le bonjour. | @ mandou um oi. | @ lässt dich grüßen.
    Is @ coming too? | ¿Viene también @? | Viene anche @? | @ vient aussi ? | @ também vem? | Kommt @ auch?
    @ is coming too. | @ también viene. | Viene anche @. | @ vient aussi. | @ também vem. | @ kommt auch.
    Where is @? | ¿Dónde está @? | Dov'è @? | Où est @ ? | Onde está @? | Wo ist @?
    Have you seen @? | ¿Has visto a @? | Hai visto @? | Tu as vu @ ? | Você viu @? | Hast du @ gesehen?
    I'm with @. | Estoy con @. | Sono con @. | Je suis avec @. | Estou com @. | Ich bin bei @.
    Ask @! | ¡Pregúntale a @! | Chiedi a @! | Demande à @ ! | Pergunta para @! | Frag @!
    Can you call @? | ¿Puedes llamar a @? | Puoi chiamare @? | Tu peux appeler @ ? | Você pode ligar para @? | Kannst du @ anrufen?
    It's @'s birthday today! | ¡Hoy es el cumpleaños de @! | Oggi è il compleanno di @! | C'est l'anniversaire de @ aujourd'hui ! | Hoje é aniversário de @! | Heute hat @ Geburtstag!
    See you at #:#! | ¡Nos vemos a las #:#! | Ci vediamo alle #:#! | On se voit à #:# ! | A gente se vê às #:#! | Wir sehen uns um #:#!
    See you at #:#, @! | ¡Nos vemos a las #:#, @! | Ci vediamo alle #:#, @! | On se voit à #:#, @ ! | A gente se vê às #:#, @! | Wir sehen uns um #:#, @!
    See you tomorrow at #:#! | ¡Nos vemos mañana a las #:#! | Ci vediamo domani alle #:#! | On se voit demain à #:# ! | A gente se vê amanhã às #:#! | Wir sehen uns morgen um #:#!
    Let's meet at #:#. | Quedamos a las #:#. | Vediamoci alle #:#. | On se retrouve à #:#. | Vamos nos encontrar às #:#. | Treffen wir uns um #:#.
    Let's meet at the station at #:#. | Quedamos en la estación a las #:#. | Vediamoci alla stazione alle #:#. | On se retrouve à la gare à #:#. | A gente se encontra na estação às #:#. | Treffen wir uns um #:# am Bahnhof.
    Does #:# work for you? | ¿Te viene bien a las #:#? | Ti va bene alle #:#? | #:#, ça te va ? | Às #:# está bom para você? | Passt dir #:#?
    My flight leaves at #:#. | Mi vuelo sale a las #:#. | Il mio volo parte alle #:#. | Mon vol part à #:#. | Meu voo sai às #:#. | Mein Flug geht um #:#.
    My train arrives at #:#. | Mi tren llega a las #:#. | Il mio treno arriva alle #:#. | Mon train arrive à #:#. | Meu trem chega às #:#. | Mein Zug kommt um #:# an.
    The film starts at #:#. | La película empieza a las #:#. | Il film inizia alle #:#. | Le film commence à #:#. | O filme começa às #:#. | Der Film fängt um #:# an.
    The meeting starts at #:#. | La reunión empieza a las #:#. | La riunione inizia alle #:#. | La réunion commence à #:#. | A reunião começa às #:#. | Die Besprechung fängt um #:# an.
    I finish work at #:#. | Salgo del trabajo a las #:#. | Finisco di lavorare alle #:#. | Je finis le travail à #:#. | Saio do trabalho às #:#. | Ich habe um #:# Feierabend.
    I'll be there at #:#. | Llego a las #:#. | Arrivo alle #:#. | J'arrive à #:#. | Chego às #:#. | Ich bin um #:# da.
    I'll be there in # minutes. | Llego en # minutos. | Arrivo tra # minuti. | J'arrive dans # minutes. | Chego em # minutos. | Ich bin in # Minuten da.
    I'll be back in # days. | Vuelvo en # días. | Torno tra # giorni. | Je reviens dans # jours. | Volto em # dias. | Ich bin in # Tagen zurück.
    I'm running # minutes late. | Llego # minutos tarde. | Sono in ritardo di # minuti. | J'ai # minutes de retard. | Estou # minutos atrasado. | Ich komme # Minuten später.
    Wait for me # minutes! | ¡Espérame # minutos! | Aspettami # minuti! | Attends-moi # minutes ! | Me espera # minutos! | Warte # Minuten auf mich!
    There are # of us. | Somos #. | Siamo in #. | On est #. | Somos #. | Wir sind zu #.
    A table for #, please. | Una mesa para #, por favor. | Un tavolo per #, per favore. | Une table pour #, s'il vous plaît. | Uma mesa para #, por favor. | Einen Tisch für #, bitte.
    There are # left. | Quedan #. | Ne restano #. | Il en reste #. | Restam #. | Es sind noch # übrig.
    It costs # euros. | Cuesta # euros. | Costa # euro. | Ça coûte # euros. | Custa # euros. | Das kostet # Euro.
    You owe me # euros. | Me debes # euros. | Mi devi # euro. | Tu me dois # euros. | Você me deve # euros. | Du schuldest mir # Euro.
    I'm # years old. | Tengo # años. | Ho # anni. | J'ai # ans. | Tenho # anos. | Ich bin # Jahre alt.
    My phone is at #%. | Mi móvil está al #%. | Il mio telefono è al #%. | Mon téléphone est à #%. | Meu celular está com #%. | Mein Handy ist bei #%.
    It's #% off! | ¡Tiene un #% de descuento! | È scontato del #%! | C'est à -#% ! | Está com #% de desconto! | Es ist um #% reduziert!
    I'm #% sure. | Estoy #% seguro. | Sono sicuro al #%. | Je suis sûr à #%. | Tenho #% de certeza. | Ich bin mir zu #% sicher.
    """#
}
