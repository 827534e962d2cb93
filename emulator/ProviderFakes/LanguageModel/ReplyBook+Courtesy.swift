extension ReplyBook {
  /// Thanks, apologies, wishes and sympathy.
  static let courtesy = #"""
    # birthday 🎂
    en: happy birthday / happy bday / many happy returns
    es: feliz cumpleaños / feliz cumple / muchas felicidades por tu cumpleaños
    it: buon compleanno / tanti auguri
    fr: joyeux anniversaire / bon anniversaire
    pt: feliz aniversário / feliz niver / parabéns pelo aniversário / parabéns pelo seu aniversário
    de: alles gute zum geburtstag / happy birthday / herzlichen glückwunsch zum geburtstag / glückwunsch zum geburtstag
    Thank you so much! | ¡Muchísimas gracias! | Grazie mille! | Merci beaucoup ! | Valeu demais! | Vielen lieben Dank!
    Thanks for thinking of me! | ¡Gracias por acordarte de mí! | Grazie per il pensiero! | Merci d'avoir pensé à moi ! | Que bom que você lembrou! | Lieb, dass du an mich denkst!
    You made my day! | ¡Me has alegrado el día! | Mi hai rallegrato la giornata! | Ça me fait très plaisir ! | Você alegrou meu dia! | Du hast mir den Tag versüßt!

    # badNews ❤️
    en: passed away / died / is ill / is sick / i'm sick / feel sick / in hospital / in the hospital / lost my job / got fired / broke up / bad news / accident / failed my / failed the / i'm sad / so sad / feel terrible / didn't get the job / terrible day / awful day
    es: ha muerto / ha fallecido / murió / falleció / enfermo / enferma / en el hospital / perdido el trabajo / me han despedido / hemos roto / malas noticias / mala noticia / accidente / suspendido / estoy triste / muy triste / me siento fatal / un día horrible
    it: è morto / è morta / è mancato / è mancata / malato / malata / in ospedale / perso il lavoro / mi hanno licenziato / mi hanno licenziata / ci siamo lasciati / brutte notizie / brutta notizia / incidente / bocciato / bocciata / sono triste / mi sento male / giornata terribile
    fr: est mort / est morte / est décédé / est décédée / malade / à l'hôpital / perdu mon travail / perdu mon emploi / été viré / été virée / on a rompu / mauvaise nouvelle / mauvaises nouvelles / accident / raté mon examen / je suis triste / très triste / journée horrible
    pt: morreu / faleceu / doente / no hospital / perdi o emprego / fui demitido / fui demitida / terminamos / más notícias / má notícia / acidente / reprovei / estou triste / tô triste / muito triste / dia horrível
    de: gestorben / verstorben / krank / im krankenhaus / job verloren / arbeit verloren / wurde gekündigt / getrennt / schlechte nachricht / schlechte nachrichten / unfall / durchgefallen / bin traurig / so traurig / geht mir schlecht / schrecklicher tag
    I'm so sorry to hear that. | Lo siento muchísimo. | Mi dispiace tantissimo. | Ça me fait beaucoup de peine. | Sinto muito por isso. | Das tut mir sehr leid.
    If you need anything, I'm here. | Si necesitas algo, aquí estoy. | Se hai bisogno di qualcosa, io ci sono. | Si tu as besoin de quelque chose, je suis là. | Se precisar de algo, estou aqui. | Wenn du etwas brauchst, bin ich da.
    Do you want to talk about it? | ¿Quieres hablar de ello? | Ti va di parlarne? | Tu veux en parler ? | Quer conversar sobre isso? | Möchtest du darüber reden?

    # congratulation 🎉
    en: i passed / got the job / got a job / new job / got promoted / promotion / we won / i won / good news / great news / getting married / engaged / we're having a baby / i'm pregnant / graduated / i did it / we made it / congratulations / congrats
    es: he aprobado / aprobé / conseguido el trabajo / nuevo trabajo / trabajo nuevo / me han ascendido / ascenso / hemos ganado / he ganado / buenas noticias / buena noticia / nos casamos / me caso / embarazada / me he graduado / lo conseguí / lo he conseguido / felicidades / enhorabuena
    it: ho passato l'esame / superato l'esame / promosso / promossa / promozione / avuto il lavoro / ottenuto il lavoro / nuovo lavoro / abbiamo vinto / ho vinto / buone notizie / buona notizia / bella notizia / ci sposiamo / mi sposo / incinta / mi sono laureato / mi sono laureata / ce l'ho fatta / congratulazioni / complimenti
    fr: j'ai réussi / eu le poste / eu le travail / nouveau travail / nouveau poste / été promu / été promue / promotion / on a gagné / j'ai gagné / bonne nouvelle / bonnes nouvelles / on se marie / je me marie / enceinte / eu mon diplôme / eu mon bac / félicitations / bravo
    pt: passei no / passei na / consegui o emprego / novo emprego / emprego novo / fui promovido / fui promovida / promoção / ganhamos / ganhei / boas notícias / boa notícia / ótima notícia / vamos nos casar / vou me casar / grávida / me formei / consegui / parabéns
    de: bestanden / job bekommen / stelle bekommen / neuer job / neuen job / neue stelle / befördert / beförderung / wir haben gewonnen / ich habe gewonnen / gewonnen / gute nachricht / gute nachrichten / tolle neuigkeiten / wir heiraten / ich heirate / schwanger / abschluss gemacht / geschafft / glückwunsch / gratuliere
    That's wonderful news! | ¡Qué noticia tan maravillosa! | Che notizia meravigliosa! | Quelle merveilleuse nouvelle ! | Que notícia maravilhosa! | Das ist ja wunderbar!
    Congratulations! | ¡Felicidades! | Congratulazioni! | Félicitations ! | Parabéns! | Herzlichen Glückwunsch!
    We have to celebrate! | ¡Hay que celebrarlo! | Dobbiamo festeggiare! | Il faut fêter ça ! | Temos que comemorar! | Das müssen wir feiern!

    # goodLuck 🤞
    en: good luck / best of luck / break a leg / fingers crossed / have a good trip / have a nice trip / safe travels / have a safe / you'll do great / you've got this
    es: buena suerte / mucha suerte / mucha mierda / suerte con / cruzo los dedos / buen viaje / te irá bien / te va a ir bien
    it: buona fortuna / in bocca al lupo / incrocio le dita / dita incrociate / buon viaggio / andrà bene / andrà tutto bene
    fr: bonne chance / je te dis merde / je croise les doigts / bon voyage / bon courage / ça va bien se passer
    pt: boa sorte / dedos cruzados / estou torcendo / boa viagem / vai dar tudo certo / vai dar certo
    de: viel glück / viel erfolg / hals- und beinbruch / daumen / gute reise / gute fahrt / du schaffst das / toi toi toi
    Thank you, I need it! | ¡Gracias, falta me hace! | Grazie, ne ho bisogno! | Merci, j'en ai besoin ! | Valeu, estou precisando! | Danke, das kann ich brauchen!
    I'll tell you how it went! | ¡Ya te contaré cómo ha ido! | Poi ti racconto com'è andata! | Je te raconterai ! | Depois conto como foi! | Ich erzähl dir dann, wie es war!
    That's kind of you, thanks! | ¡Qué amable, gracias! | Gentilissimo da parte tua, grazie! | C'est gentil, merci ! | Que gentileza, valeu! | Das ist lieb, danke!

    # apology 😊
    en: sorry / i apologize / i apologise / forgive me / my bad / my fault / my mistake / apologies
    es: perdón / perdona / perdóname / lo siento / disculpa / disculpas / culpa mía
    it: scusa / scusami / scusate / mi dispiace / perdonami / chiedo scusa / colpa mia
    fr: désolé / désolée / pardon / excuse-moi / excusez-moi / je m'excuse / pardonne-moi / ma faute
    pt: desculpa / desculpe / desculpas / me perdoa / sinto muito / foi mal / culpa minha / perdão
    de: entschuldigung / entschuldige / tut mir leid / sorry / verzeih / verzeihung / meine schuld / mein fehler
    Don't worry about it! | ¡No te preocupes! | Non preoccuparti! | Ne t'en fais pas ! | Não se preocupe! | Mach dir keine Sorgen!
    It's all good, really. | No pasa nada, de verdad. | Tutto a posto, davvero. | Ce n'est rien, vraiment. | Está tudo bem, de verdade. | Alles gut, wirklich.
    Thanks for telling me. | Gracias por decírmelo. | Grazie per avermelo detto. | Merci de me l'avoir dit. | Que bom que você me avisou. | Danke, dass du es mir sagst.

    # thanks 😊
    en: thanks / thank you / thx / ty / cheers / much appreciated
    es: gracias / te lo agradezco / muy amable
    it: grazie / ti ringrazio / vi ringrazio / gentilissimo / gentilissima
    fr: merci / je te remercie / je vous remercie
    pt: obrigado / obrigada / valeu / agradeço / brigado / brigada
    de: danke / dankeschön / vielen dank / ich danke dir / besten dank
    You're welcome! | ¡De nada! | Prego! | De rien ! | De nada! | Gern geschehen!
    No problem at all! | ¡No hay de qué! | Figurati, nessun problema! | Il n'y a pas de quoi ! | Imagina, sem problema! | Überhaupt kein Problem!
    Any time! | ¡Para eso estamos! | Quando vuoi! | Avec plaisir ! | Sempre que precisar! | Jederzeit!
    """#
}
