extension CommonWords {
  /// The abbreviations of chat, by language. They aren't in `tables`, because they don't show a
  /// language's spelling.
  static let shorthand = [
    "en":
      """
    b4 bc bday bf bff brb btw cya dm dont doesnt didnt cant gf gm gn gotta gr8 gtg hbd hmu idc idk
    ikr ily imo irl isnt ive jk k kinda l8r lemme lmao nah nope np nvm omg omw outta plz pls ppl r
    rn sry tbh thats thx tmrw tonite ttyl u ur wanna wassup wth wtf wyd xmas ya yall yep youre yup
    """,
    "es":
      """
    aki bn cumple dnd finde grax jaja jajaja jajajaja jeje ke kiero msj ntp porfa porfi pq
    q salu2 tb tkm tmb tqm tranqui vdd wey xa xd xfa xq bss holi nmms
    """,
    "it":
      """
    ahah ahaha ahahah amo anke boh cm cmq cn dai dv eh ke ki nn pls pome qlc qls qnd
    raga ragà scs tvb tvtb tt uff vabbè vabbe xchè xke xké xò grz
    """,
    "fr":
      """
    a+ ajd apéro bcp bisous biz bof bsr cad cc chelou chui coucou cv dac dsl jsp jsuis jpp
    jtm jvais kiffe koi mdr msg mtn oklm ouais oué pcq pk ptdr ptn qd qqn qqch rdv resto slt stp
    svp tkt tjrs tkl tt vrmt wesh y'a aprem
    """,
    "pt":
      """
    abs aki bj bjs blz bora cadê cmg ctg ctz dps eh fds flw gnt hj hoje kd kk kkk kkkk kkkkk
    kkkkkk msg mt mto n né nd ngm obg oq p pfv pq pqp pra pro q qdo qq rs rsrs sdds sla tá tah tb
    tbm td tmb tmj tô to vc vcs vdd vlw vou vamo
    """,
    "de":
      """
    aja ahso bb bda bissl bzw dafuq digga gehts gibts geht's gn8 grad gl hab hdl hdgdl ich's
    iwann iwie isses jo joa jup ka kb kp lg mfg mal moin nee nix nö nich noch ned oki omg okey
    schatzi servus sry tschau tschö vlt vllt wg wmd zb zsm
    """,
  ]
}
