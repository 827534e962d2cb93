extension Phrasebook {
  /// Travel, the phone and the chat itself.
  static let travel = #"""
    Have a good trip! | ¡Buen viaje! | Buon viaggio! | Bon voyage ! | Boa viagem! | Gute Reise!
    Have a good trip! ✈️ | ¡Buen viaje! ✈️ | Buon viaggio! ✈️ | Bon voyage ! ✈️ | Boa viagem! ✈️ | Gute Reise! ✈️
    How was your trip? | ¿Qué tal el viaje? | Com'è andato il viaggio? | Comment s'est passé ton voyage ? | Como foi a viagem? | Wie war deine Reise?
    How was your flight? | ¿Qué tal el vuelo? | Com'è andato il volo? | Comment s'est passé ton vol ? | Como foi o voo? | Wie war dein Flug?
    I'm at the airport. | Estoy en el aeropuerto. | Sono in aeroporto. | Je suis à l'aéroport. | Estou no aeroporto. | Ich bin am Flughafen.
    I'm at the station. | Estoy en la estación. | Sono alla stazione. | Je suis à la gare. | Estou na estação. | Ich bin am Bahnhof.
    I'm on the train. | Estoy en el tren. | Sono sul treno. | Je suis dans le train. | Estou no trem. | Ich bin im Zug.
    My flight is delayed. | Mi vuelo lleva retraso. | Il mio volo è in ritardo. | Mon vol est retardé. | Meu voo está atrasado. | Mein Flug hat Verspätung.
    My train is late. | Mi tren lleva retraso. | Il mio treno è in ritardo. | Mon train est en retard. | Meu trem está atrasado. | Mein Zug hat Verspätung.
    I've just landed. | Acabo de aterrizar. | Sono appena atterrato. | Je viens d'atterrir. | Acabei de pousar. | Ich bin gerade gelandet.
    I've arrived safely. | He llegado bien. | Sono arrivato sano e salvo. | Je suis bien arrivé. | Cheguei bem. | Ich bin gut angekommen.
    What time do you arrive? | ¿A qué hora llegas? | A che ora arrivi? | Tu arrives à quelle heure ? | A que horas você chega? | Wann kommst du an?
    I'll pick you up. | Te paso a buscar. | Passo a prenderti. | Je passe te chercher. | Eu te busco. | Ich hole dich ab.
    Can you pick me up? | ¿Me pasas a buscar? | Puoi venire a prendermi? | Tu peux venir me chercher ? | Você pode me buscar? | Kannst du mich abholen?
    Where is the hotel? | ¿Dónde está el hotel? | Dov'è l'hotel? | Où est l'hôtel ? | Onde fica o hotel? | Wo ist das Hotel?
    I'm lost. | Me he perdido. | Mi sono perso. | Je suis perdu. | Estou perdido. | Ich habe mich verlaufen.
    I'm on holiday! | ¡Estoy de vacaciones! | Sono in vacanza! | Je suis en vacances ! | Estou de férias! | Ich bin im Urlaub!
    When are you coming back? | ¿Cuándo vuelves? | Quando torni? | Tu rentres quand ? | Quando você volta? | Wann kommst du zurück?
    I'm back! | ¡Ya he vuelto! | Sono tornato! | Je suis de retour ! | Voltei! | Ich bin wieder da!
    It's beautiful here! | ¡Esto es precioso! | Qui è bellissimo! | C'est magnifique ici ! | Aqui é lindo! | Hier ist es wunderschön!
    I'm taking a taxi. | Voy en taxi. | Prendo un taxi. | Je prends un taxi. | Vou de táxi. | Ich nehme ein Taxi.
    Call me! | ¡Llámame! | Chiamami! | Appelle-moi ! | Me liga! | Ruf mich an!
    Call me when you can. | Llámame cuando puedas. | Chiamami quando puoi. | Appelle-moi quand tu peux. | Me liga quando puder. | Ruf mich an, wenn du kannst.
    Call me back, please. | Devuélveme la llamada, por favor. | Richiamami, per favore. | Rappelle-moi, s'il te plaît. | Me liga de volta, por favor. | Ruf mich bitte zurück.
    Can I call you? | ¿Te puedo llamar? | Posso chiamarti? | Je peux t'appeler ? | Posso te ligar? | Kann ich dich anrufen?
    I'll call you later. | Te llamo luego. | Ti chiamo dopo. | Je t'appelle plus tard. | Te ligo mais tarde. | Ich ruf dich später an.
    I can't talk right now. | Ahora no puedo hablar. | Adesso non posso parlare. | Je ne peux pas parler maintenant. | Não posso falar agora. | Ich kann gerade nicht reden.
    I can't hear you. | No te oigo. | Non ti sento. | Je ne t'entends pas. | Não estou te ouvindo. | Ich kann dich nicht hören.
    My battery is almost dead. | Casi no tengo batería. | Ho la batteria quasi scarica. | Je n'ai presque plus de batterie. | Minha bateria está quase acabando. | Mein Akku ist fast leer.
    I have no signal here. | Aquí no tengo cobertura. | Qui non c'è campo. | Je n'ai pas de réseau ici. | Estou sem sinal aqui. | Ich habe hier keinen Empfang.
    I lost my phone. | He perdido el teléfono. | Ho perso il telefono. | J'ai perdu mon téléphone. | Perdi meu celular. | Ich habe mein Handy verloren.
    What's your number? | ¿Cuál es tu número? | Qual è il tuo numero? | C'est quoi ton numéro ? | Qual é o seu número? | Was ist deine Nummer?
    Send me the address. | Mándame la dirección. | Mandami l'indirizzo. | Envoie-moi l'adresse. | Me manda o endereço. | Schick mir die Adresse.
    Send me a photo! | ¡Mándame una foto! | Mandami una foto! | Envoie-moi une photo ! | Me manda uma foto! | Schick mir ein Foto!
    Text me when you get home. | Escríbeme cuando llegues a casa. | Scrivimi quando arrivi a casa. | Écris-moi quand tu arrives chez toi. | Me avisa quando chegar em casa. | Schreib mir, wenn du zu Hause bist.
    I'll text you later. | Te escribo luego. | Ti scrivo dopo. | Je t'écris plus tard. | Te escrevo mais tarde. | Ich schreib dir später.
    Let me know! | ¡Avísame! | Fammi sapere! | Tiens-moi au courant ! | Me avisa! | Sag mir Bescheid!
    Did you get my message? | ¿Te ha llegado mi mensaje? | Hai ricevuto il mio messaggio? | Tu as reçu mon message ? | Você recebeu minha mensagem? | Hast du meine Nachricht bekommen?
    Nice photo! | ¡Bonita foto! | Bella foto! | Jolie photo ! | Linda foto! | Schönes Foto!
    Nice photo! 😍 | ¡Bonita foto! 😍 | Bella foto! 😍 | Jolie photo ! 😍 | Linda foto! 😍 | Schönes Foto! 😍
    """#
}
