extension Phrasebook {
  /// Thanks, apologies, good wishes and congratulations.
  static let courtesy = #"""
    Thanks | Gracias | Grazie | Merci | Obrigado | Danke
    Thanks! | ¡Gracias! | Grazie! | Merci ! | Obrigado! | Danke!
    Thanks! 😊 | ¡Gracias! 😊 | Grazie! 😊 | Merci ! 😊 | Obrigado! 😊 | Danke! 😊
    Thank you! | ¡Gracias! | Grazie! | Merci ! | Obrigado! | Danke!
    Thank you so much! | ¡Muchísimas gracias! | Grazie mille! | Merci beaucoup ! | Muito obrigado! | Vielen Dank!
    Thanks a lot! | ¡Muchas gracias! | Grazie mille! | Merci beaucoup ! | Muito obrigado! | Vielen Dank!
    Thanks for everything! | ¡Gracias por todo! | Grazie di tutto! | Merci pour tout ! | Obrigado por tudo! | Danke für alles!
    Thanks for your help! | ¡Gracias por tu ayuda! | Grazie per l'aiuto! | Merci pour ton aide ! | Obrigado pela ajuda! | Danke für deine Hilfe!
    Thanks for the invitation! | ¡Gracias por la invitación! | Grazie per l'invito! | Merci pour l'invitation ! | Obrigado pelo convite! | Danke für die Einladung!
    Thanks, you too! | ¡Gracias, igualmente! | Grazie, anche a te! | Merci, toi aussi ! | Obrigado, você também! | Danke, dir auch!
    You too! | ¡Igualmente! | Anche a te! | Toi aussi ! | Você também! | Dir auch!
    No, thanks. | No, gracias. | No, grazie. | Non, merci. | Não, obrigado. | Nein, danke.
    Yes, please! | ¡Sí, por favor! | Sì, grazie! | Oui, s'il te plaît ! | Sim, por favor! | Ja, bitte!
    Please | Por favor | Per favore | S'il te plaît | Por favor | Bitte
    You're welcome! | ¡De nada! | Prego! | De rien ! | De nada! | Gern geschehen!
    No problem! | ¡No hay problema! | Nessun problema! | Pas de problème ! | Sem problema! | Kein Problem!
    Don't mention it! | ¡No hay de qué! | Figurati! | Il n'y a pas de quoi ! | Imagina! | Nicht der Rede wert!
    You're the best! | ¡Eres lo máximo! | Sei il massimo! | T'es génial ! | Você é demais! | Du bist der Hammer!
    Sorry! | ¡Perdón! | Scusa! | Désolé ! | Desculpa! | Entschuldigung!
    I'm sorry. | Lo siento. | Mi dispiace. | Je suis désolé. | Sinto muito. | Es tut mir leid.
    I'm so sorry! | ¡Lo siento mucho! | Mi dispiace tanto! | Je suis vraiment désolé ! | Sinto muito mesmo! | Es tut mir so leid!
    Sorry for the late reply. | Perdona por responder tan tarde. | Scusa se rispondo solo ora. | Désolé de répondre si tard. | Desculpa a demora para responder. | Sorry für die späte Antwort.
    Sorry, I was busy. | Perdona, tenía cosas que hacer. | Scusa, avevo da fare. | Désolé, j'étais occupé. | Desculpa, eu estava ocupado. | Sorry, ich hatte zu tun.
    Sorry, I forgot! | ¡Perdona, se me olvidó! | Scusa, me ne sono dimenticato! | Désolé, j'ai oublié ! | Desculpa, esqueci! | Sorry, hab ich vergessen!
    It was my fault. | Fue culpa mía. | È stata colpa mia. | C'était ma faute. | A culpa foi minha. | Das war meine Schuld.
    I didn't mean to. | No era mi intención. | Non l'ho fatto apposta. | Je ne l'ai pas fait exprès. | Não foi por querer. | Das war keine Absicht.
    Don't worry! | ¡No te preocupes! | Non preoccuparti! | Ne t'inquiète pas ! | Não se preocupe! | Keine Sorge!
    Never mind. | No importa. | Non importa. | Ce n'est pas grave. | Deixa pra lá. | Schon gut.
    It doesn't matter. | No importa. | Non importa. | Peu importe. | Não importa. | Das macht nichts.
    Congratulations! | ¡Felicidades! | Congratulazioni! | Félicitations ! | Parabéns! | Herzlichen Glückwunsch!
    Congratulations! 🎉 | ¡Felicidades! 🎉 | Congratulazioni! 🎉 | Félicitations ! 🎉 | Parabéns! 🎉 | Herzlichen Glückwunsch! 🎉
    Congratulations on your new job! | ¡Felicidades por tu nuevo trabajo! | Congratulazioni per il nuovo lavoro! | Félicitations pour ton nouveau travail ! | Parabéns pelo novo emprego! | Glückwunsch zum neuen Job!
    Well done! | ¡Bien hecho! | Ben fatto! | Bien joué ! | Muito bem! | Gut gemacht!
    I'm so proud of you! | ¡Estoy muy orgulloso de ti! | Sono così fiero di te! | Je suis si fier de toi ! | Que orgulho de você! | Ich bin so stolz auf dich!
    Happy birthday! | ¡Feliz cumpleaños! | Buon compleanno! | Joyeux anniversaire ! | Feliz aniversário! | Alles Gute zum Geburtstag!
    Happy birthday! 🎂 | ¡Feliz cumpleaños! 🎂 | Buon compleanno! 🎂 | Joyeux anniversaire ! 🎂 | Feliz aniversário! 🎂 | Alles Gute zum Geburtstag! 🎂
    Merry Christmas! | ¡Feliz Navidad! | Buon Natale! | Joyeux Noël ! | Feliz Natal! | Frohe Weihnachten!
    Merry Christmas! 🎄 | ¡Feliz Navidad! 🎄 | Buon Natale! 🎄 | Joyeux Noël ! 🎄 | Feliz Natal! 🎄 | Frohe Weihnachten! 🎄
    Happy New Year! | ¡Feliz Año Nuevo! | Buon anno! | Bonne année ! | Feliz Ano-Novo! | Frohes neues Jahr!
    Happy Easter! | ¡Felices Pascuas! | Buona Pasqua! | Joyeuses Pâques ! | Feliz Páscoa! | Frohe Ostern!
    Cheers! | ¡Salud! | Cin cin! | Santé ! | Saúde! | Prost!
    Good luck! | ¡Buena suerte! | Buona fortuna! | Bonne chance ! | Boa sorte! | Viel Glück!
    Good luck with your exam! | ¡Suerte con el examen! | In bocca al lupo per l'esame! | Bonne chance pour ton examen ! | Boa sorte na prova! | Viel Glück bei der Prüfung!
    Break a leg! | ¡Mucha mierda! | In bocca al lupo! | Je te dis merde ! | Boa sorte! | Hals- und Beinbruch!
    Break a leg at your interview tomorrow! | ¡Mucha suerte en tu entrevista de mañana! | In bocca al lupo per il colloquio di domani! | Bonne chance pour ton entretien demain ! | Boa sorte na entrevista amanhã! | Hals- und Beinbruch für dein Vorstellungsgespräch morgen!
    Fingers crossed! | ¡Cruzo los dedos! | Incrocio le dita! | Je croise les doigts ! | Estou torcendo! | Ich drücke die Daumen!
    Fingers crossed! 🤞 | ¡Cruzo los dedos! 🤞 | Incrocio le dita! 🤞 | Je croise les doigts ! 🤞 | Estou torcendo! 🤞 | Ich drücke die Daumen! 🤞
    Have fun! | ¡Que te diviertas! | Divertiti! | Amuse-toi bien ! | Divirta-se! | Viel Spaß!
    Get well soon! | ¡Que te mejores! | Guarisci presto! | Bon rétablissement ! | Melhoras! | Gute Besserung!
    Bless you! | ¡Salud! | Salute! | À tes souhaits ! | Saúde! | Gesundheit!
    """#
}
