extension Phrasebook {
  /// Family, friends and feelings.
  static let people = #"""
    I miss you! | ¡Te echo de menos! | Mi manchi! | Tu me manques ! | Estou com saudade! | Ich vermisse dich!
    I miss you too! | ¡Yo también te echo de menos! | Mi manchi anche tu! | Tu me manques aussi ! | Também estou com saudade! | Ich vermisse dich auch!
    I love you. | Te quiero. | Ti amo. | Je t'aime. | Eu te amo. | Ich liebe dich.
    I love you! ❤️ | ¡Te quiero! ❤️ | Ti amo! ❤️ | Je t'aime ! ❤️ | Te amo! ❤️ | Ich liebe dich! ❤️
    I love you too! | ¡Yo también te quiero! | Ti amo anch'io! | Moi aussi, je t'aime ! | Também te amo! | Ich liebe dich auch!
    I'm thinking of you. | Pienso en ti. | Ti penso. | Je pense à toi. | Estou pensando em você. | Ich denke an dich.
    I'm happy. | Soy feliz. | Sono felice. | Je suis heureux. | Estou feliz. | Ich bin glücklich.
    I'm so happy for you! | ¡Me alegro mucho por ti! | Sono così felice per te! | Je suis si content pour toi ! | Fico muito feliz por você! | Ich freue mich so für dich!
    I'm glad to hear that. | Me alegra saberlo. | Mi fa piacere. | Ça me fait plaisir. | Que bom saber disso. | Das freut mich.
    I'm tired. | Estoy cansado. | Sono stanco. | Je suis fatigué. | Estou cansado. | Ich bin müde.
    I'm really tired today. | Hoy estoy muy cansado. | Oggi sono davvero stanco. | Je suis vraiment fatigué aujourd'hui. | Hoje estou muito cansado. | Ich bin heute echt müde.
    I'm sad. | Estoy triste. | Sono triste. | Je suis triste. | Estou triste. | Ich bin traurig.
    I'm bored. | Me aburro. | Mi annoio. | Je m'ennuie. | Estou entediado. | Mir ist langweilig.
    I'm nervous. | Estoy nervioso. | Sono nervoso. | Je suis nerveux. | Estou nervoso. | Ich bin nervös.
    I'm worried. | Estoy preocupado. | Sono preoccupato. | Je suis inquiet. | Estou preocupado. | Ich mache mir Sorgen.
    I'm stressed out. | Estoy muy estresado. | Sono stressato. | Je suis stressé. | Estou estressado. | Ich bin total gestresst.
    I'm sick. | Estoy enfermo. | Sono malato. | Je suis malade. | Estou doente. | Ich bin krank.
    I have a headache. | Me duele la cabeza. | Ho mal di testa. | J'ai mal à la tête. | Estou com dor de cabeça. | Ich habe Kopfschmerzen.
    I feel better now. | Ya me siento mejor. | Ora mi sento meglio. | Je me sens mieux maintenant. | Já estou me sentindo melhor. | Mir geht es jetzt besser.
    How do you feel? | ¿Cómo te sientes? | Come ti senti? | Comment tu te sens ? | Como você está se sentindo? | Wie fühlst du dich?
    Is everything okay? | ¿Va todo bien? | Va tutto bene? | Tout va bien ? | Está tudo bem? | Ist alles okay?
    Everything is fine. | Todo va bien. | Va tutto bene. | Tout va bien. | Está tudo bem. | Alles ist gut.
    Are you angry with me? | ¿Te has enfadado conmigo? | Sei arrabbiato con me? | Tu es fâché contre moi ? | Você está bravo comigo? | Bist du sauer auf mich?
    I need to talk to you. | Tengo que hablar contigo. | Devo parlarti. | Il faut que je te parle. | Preciso falar com você. | Ich muss mit dir reden.
    I can't wait! | ¡Qué ganas! | Non vedo l'ora! | J'ai trop hâte ! | Mal posso esperar! | Ich kann es kaum erwarten!
    I can't wait to see you! | ¡Qué ganas de verte! | Non vedo l'ora di vederti! | J'ai hâte de te voir ! | Mal posso esperar para te ver! | Ich freue mich so auf dich!
    It was great to see you! | ¡Me encantó verte! | È stato bello vederti! | Ça m'a fait plaisir de te voir ! | Foi ótimo te ver! | Es war schön, dich zu sehen!
    How is your family? | ¿Cómo está tu familia? | Come sta la tua famiglia? | Comment va ta famille ? | Como está sua família? | Wie geht es deiner Familie?
    How are the kids? | ¿Cómo están los niños? | Come stanno i bambini? | Comment vont les enfants ? | Como estão as crianças? | Wie geht's den Kindern?
    Say hi to your family! | ¡Saluda a tu familia de mi parte! | Saluta la tua famiglia! | Passe le bonjour à ta famille ! | Manda um abraço para sua família! | Grüß deine Familie von mir!
    My parents are visiting. | Mis padres están de visita. | I miei genitori sono in visita. | Mes parents sont en visite. | Meus pais estão me visitando. | Meine Eltern sind zu Besuch.
    I'm with my family. | Estoy con mi familia. | Sono con la mia famiglia. | Je suis avec ma famille. | Estou com minha família. | Ich bin bei meiner Familie.
    I'm with friends. | Estoy con amigos. | Sono con amici. | Je suis avec des amis. | Estou com amigos. | Ich bin mit Freunden unterwegs.
    It's my mother's birthday. | Es el cumpleaños de mi madre. | È il compleanno di mia madre. | C'est l'anniversaire de ma mère. | É aniversário da minha mãe. | Meine Mutter hat Geburtstag.
    My sister is getting married! | ¡Mi hermana se casa! | Mia sorella si sposa! | Ma sœur se marie ! | Minha irmã vai se casar! | Meine Schwester heiratet!
    My brother says hi. | Mi hermano te manda saludos. | Mio fratello ti saluta. | Mon frère te passe le bonjour. | Meu irmão mandou um oi. | Mein Bruder lässt dich grüßen.
    """#
}
