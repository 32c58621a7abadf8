"""UnclEvl's alternative combat, steps 4 to 10: trumps, numbers, cheats, points.

U-07 to U-22, U-24 to U-28. High wins when the two Numbered cards share a colour, low when they
differ; trumps that don't match their owner's number are the opponent's to use.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import (
    colour_of,
    lay_trumps,
    n_numbers,
    n_trumps,
    turn_up_laid,
    value_of,
)
from fm_env.games.fairy_meat.constants import (
    BLACK,
    FIRST_TRUMP,
    JOKER,
    MAX_BANK,
    RED,
    Kind,
    Main,
    Phase,
    Play,
    Sign,
)
from fm_env.games.fairy_meat.damage import hurt, hurt_by_weapon, nasty_hits
from fm_env.games.fairy_meat.hands import can_attack_again, is_friendly
from fm_env.games.fairy_meat.movement import begin_escape
from fm_env.games.fairy_meat.table import (
    ask_fighters,
    lay_main,
    legal_joker,
    legal_numbers,
    legal_wilds,
    score,
)


# ------------------------------------------------------------------------------- step 4: trumps
@rule
def may_use_points(s, f):
    """Points as wild trumps: the attack just before, and neither number nor trump in hand (U-27).

    A joker in hand doesn't count against it (U-28).
    """
    none = n_numbers(s, f) == 0 and n_trumps(s, f, RED) == 0 and n_trumps(s, f, BLACK) == 0
    return f == s.defender and s.prev_points[f] > 0 and none


@rule
def most_trumps(s, f, colour):
    """How many of a colour she may lay: all, but without `call_off` an attacker who has no number
    and no joker keeps one trump back for her main card (U-21).
    """
    n = n_trumps(s, f, colour)
    if f == s.attacker and not s.call_off and s.hand[f, JOKER] == 0:
        if n_numbers(s, f) == 0 and n_trumps(s, f, 1 - colour) == 0:
            return n - 1
    return n


@rule
def ask_for_trumps(s):
    """Step 4. A fairy without a card and without points has publicly nothing to say (U-47)."""
    ask_fighters(s, Phase.LAY_TRUMPS)
    d = s.defender
    if s.n_hand[d] == 0 and s.prev_points[d] == 0:
        s.choice[d] = act.TRUMPS_NONE


@rule
def legal_trump_lays(s, f, out):
    """None, or some trumps of one colour (U-07), or naming the colour of her points (U-27)."""
    out[act.TRUMPS_NONE] = True
    n = 1
    for k in range(1, most_trumps(s, f, RED) + 1):
        out[act.TRUMPS_RED + k] = True
        n += 1
    for k in range(1, most_trumps(s, f, BLACK) + 1):
        out[act.TRUMPS_BLACK + k] = True
        n += 1
    if may_use_points(s, f):
        out[act.POINTS + RED] = True
        out[act.POINTS + BLACK] = True
        n += 2
    return n


@rule
def reveal_trumps(s):
    """Both lay; against None the other's trumps stay face down (U-07, U-08)."""
    a, d = s.attacker, s.defender
    for f in (a, d):
        action = s.choice[f]
        s.choice[f] = -1
        if action >= act.POINTS:
            name_points(s, f, action - act.POINTS)
        elif action > act.TRUMPS_BLACK:
            lay_trumps(s, f, BLACK, action - act.TRUMPS_BLACK)
        elif action > act.TRUMPS_RED:
            lay_trumps(s, f, RED, action - act.TRUMPS_RED)
    s.prev_points[d] = 0
    # Points named as wild trumps are shown and so count as a lay (U-39).
    if s.n_laid[a] > 0 and s.n_laid[d] + s.points_wild[d] > 0:
        turn_up_laid(s, a)
        if s.n_laid[d] > 0:
            turn_up_laid(s, d)
    ask_fighters(s, Phase.LAY_MAIN)
    if s.n_hand[d] == 0:
        s.choice[d] = act.MAIN_NONE


@rule
def name_points(s, f, colour):
    """Her points become wild trumps of that colour; they leave the boost, or else the bank (U-27)."""
    s.points_wild[f] = s.prev_points[f]
    s.points_colour[f] = colour
    if s.boost[f] > 0:
        s.boost[f] = 0
    else:
        s.bank[f, s.attacker] = max(0, s.bank[f, s.attacker] - s.prev_points[f])
    s.no_number[f] = 1
    s.no_trump[f] = 1


# ------------------------------------------------------------------------------ step 5: numbers
@rule
def legal_main(s, f, out):
    """A number if she has one; without, a joker or a wild trump; without those, nothing.

    A joker may be laid beside numbers under `joker_main = "free"` (U-16); a wild trump never
    (U-20), but it must be laid if she is to have a card (U-18).
    """
    if s.points_wild[f] > 0:
        out[act.MAIN_NONE] = True
        return 1
    n = legal_numbers(s, f, out)
    if n == 0:
        n = legal_wilds(s, f, out) + legal_joker(s, f, out)
    elif s.joker_main_free:
        n += legal_joker(s, f, out)
    if n == 0:
        out[act.MAIN_NONE] = True
        return 1
    return n


@rule
def reveal_mains(s):
    """Mains are turned over. An attacker without one has called her attack off (U-21)."""
    for f in (s.attacker, s.defender):
        action = s.choice[f]
        s.choice[f] = -1
        lay_main(s, f, action)
        if action == act.WILD or action == act.WILD + 1:
            s.no_number[f] = 1  # U-20: everyone knows now
        if action == act.MAIN_JOKER and not s.joker_main_free:
            s.no_number[f] = 1
    if s.main[s.attacker] == Main.NO_CARD:
        call_off(s)
    else:
        s.phase = Phase.WILD_ATTACKER


@rule
def call_off(s):
    """The attack does not happen, further ones end, nobody scores (U-21)."""
    s.attacks_left = 0
    s.phase = Phase.EXCHANGE_END


@rule
def give_up_wild(s, f):
    """No card is left for her wild trump: she has no card (U-29)."""
    s.main[f] = Main.NO_CARD
    if f == s.attacker:
        call_off(s)


# ------------------------------------------------------------------- trumps, boosts and cheats
@rule
def has_number(s, f):
    return 0 <= s.main[f] < FIRST_TRUMP


@rule
def undecided_trumps_of(s):
    """Fairy who may still turn up her trumps because the other said None (U-08), or -1.

    Trumps laid by a defender who has no card do nothing (U-22).
    """
    for f in (s.attacker, s.defender):
        if s.n_laid[f] > 0 and not s.laid_up[f] and has_number(s, f):
            return f
    return -1


@rule
def ask_to_turn_up(s):
    """The open questions after the numbers, in this order: trumps left down, the boost, the
    defender's caught trumps, the attacker's (U-42).
    """
    s.phase = Phase.TURN_UP if undecided_trumps_of(s) >= 0 else Phase.BOOST


@rule
def matching_trumps(s, f):
    """Her shown trumps of her number's colour, each judged by itself (U-19)."""
    return count_shown(s, f, colour_of(s.main[f]))


@rule
def cheating_trumps(s, f):
    """Her shown trumps of the other colour: the opponent's block (U-01, U-19)."""
    return count_shown(s, f, 1 - colour_of(s.main[f]))


@rule
def count_shown(s, f, colour):
    n = 0
    for c in range(FIRST_TRUMP + colour, JOKER, 2):
        n += s.wild[f, c]
        if s.laid_up[f]:
            n += s.laid[f, c]
    if s.points_wild[f] > 0 and s.points_colour[f] == colour:
        n += s.points_wild[f]
    return n


@rule
def settle_boost(s):
    """True when the defender must say whether she uses her points on her number (U-26)."""
    d = s.defender
    if s.boost[d] > 0 and has_number(s, d):
        return True
    s.boost[d] = 0
    s.phase = Phase.CHEAT_OF_DEFENDER
    return False


@rule
def use_boost(s, used):
    d = s.defender
    s.boost_on[d] = s.boost[d] if used else 0
    s.boost[d] = 0
    s.phase = Phase.CHEAT_OF_DEFENDER


@rule
def is_caught(s, f):
    """Whether `f` is a cheat whose trumps the opponent may use; needs a number to be judged by."""
    return has_number(s, f) and cheating_trumps(s, f) > 0


@rule
def legal_uses_of_cheat(s, chooser, out):
    """Add, subtract or leave alone, separately for the chooser's own card and the cheat's (U-01).

    A chooser without a card can only move the cheat's (U-22).
    """
    n = 0
    for own in range(3 if has_number(s, chooser) else 1):
        for hers in range(3):
            out[act.CHEAT + 3 * own + hers] = True
            n += 1
    return n


@rule
def use_cheat(s, chooser, cheat, action):
    """The whole block of off-colour trumps moves each card by its size (U-01, U-02)."""
    k = cheating_trumps(s, cheat)
    s.shift[chooser] += signed((action - act.CHEAT) // 3, k)
    s.shift[cheat] += signed((action - act.CHEAT) % 3, k)


@rule
def signed(sign, n):
    if sign == Sign.ADD:
        return n
    return -n if sign == Sign.SUBTRACT else 0


@rule
def total(s, f):
    """Overall value: number, own matching trumps and boost as declared, and the opponent's use of
    caught trumps; no clamp (U-11). Without a card 0 (U-22).
    """
    if not has_number(s, f):
        return 0
    own = matching_trumps(s, f) + s.boost_on[f]
    return value_of(s.main[f]) + signed(s.sign[f], own) + s.shift[f]


# ------------------------------------------------------------------------------ steps 6 to 8
@rule
def attacker_lead(s):
    """By how much the attacker wins; negative: the defender does; 0: nobody (U-10, U-12, U-22)."""
    a, d = s.attacker, s.defender
    lead = total(s, a) - total(s, d)
    if not has_number(s, d):
        return max(0, lead)
    return lead if colour_of(s.main[a]) == colour_of(s.main[d]) else -lead


@rule
def points_for(difference):
    """Half the difference, rounded up (U-13)."""
    return (difference + 1) // 2


@rule
def remember_lays(s):
    """What all have seen: who laid trumps, and who was caught with the wrong colour."""
    for f in (s.attacker, s.defender):
        if has_number(s, f):
            if (s.n_laid[f] > 0 and s.laid_up[f]) or s.n_wild[f] > 0:
                s.times_laid[f] += 1
            if cheating_trumps(s, f) > 0:
                s.times_caught[f] += 1


@rule
def settle_outcome(s):
    """Who wins how much: damage if the attacker does, points if the defender does (U-13, U-14).

    Nasty Hits don't come on top; manglers mangle (U-15).
    """
    remember_lays(s)
    lead = attacker_lead(s)
    s.phase = Phase.EXCHANGE_END
    if s.kind == Kind.WRESTLE:
        settle_wrestle(s, lead)
    elif lead > 0:
        damage = nasty_hits(lead) if s.damage_levels else points_for(lead)
        if s.play == Play.CLASH:
            score(s, damage)
        else:
            hurt_by_weapon(s, s.defender, damage, Phase.EXCHANGE_END)
    elif lead < 0:
        points = points_for(-lead)
        if s.play == Play.CLASH:
            score(s, -points)
        elif s.kind != Kind.PRICK and not is_friendly(s):  # U-37, F-53
            win_points(s, points)


@rule
def win_points(s, points):
    """A winning defender takes extra cards for her own attack, or a boost for the next one on her.

    Asked only where both are open to her (U-24): cards before she has acted, a boost while the
    attacker can attack her again.
    """
    d = s.defender
    again = can_attack_again(s)
    if again:
        s.prev_points[d] = min(points, MAX_BANK)
    s.won = points
    if again and not s.acted[d]:
        s.phase = Phase.SPOILS
    elif again:
        take_boost(s)
    elif not s.acted[d]:
        take_cards(s)


@rule
def take_cards(s):
    """She banks her points as cards against this attacker, for later in the round (U-25)."""
    d = s.defender
    s.bank[d, s.attacker] = min(s.bank[d, s.attacker] + s.won, MAX_BANK)
    s.phase = Phase.EXCHANGE_END


@rule
def take_boost(s):
    s.boost[s.defender] = min(s.won, MAX_BANK)
    s.phase = Phase.EXCHANGE_END


# -------------------------------------------------------------------------------------- wrestling
@rule
def settle_wrestle(s, lead):
    """The winner hurts the loser, whoever it is, or breaks away; a draw hurts both (U-12, U-32).

    Against a fairy without a card there is no draw: a value of 0 or less just does nothing (U-22).
    """
    if s.play == Play.CLASH:
        score(s, points_for(lead) if lead > 0 else -points_for(-lead))
    elif lead == 0 and not has_number(s, s.defender):
        s.phase = Phase.EXCHANGE_END
    elif lead == 0:
        s.mangled = 0
        s.damage[s.attacker] += 1
        hurt(s, s.defender, 1, Phase.EXCHANGE_END)
    else:
        s.winner = s.attacker if lead > 0 else s.defender
        s.won = points_for(abs(lead))
        s.phase = Phase.WRESTLE_WON


@rule
def deal_wrestle_damage(s):
    loser = s.defender if s.winner == s.attacker else s.attacker
    s.mangled = 0
    hurt(s, loser, s.won, Phase.EXCHANGE_END)


@rule
def escape(s):
    """The winner forgoes the damage and breaks contact (U-32): on the table by a free move, where
    nobody stands still; in a bout contact is simply broken.
    """
    if s.play == Play.SKIRMISH:
        begin_escape(s, s.winner)
        return
    s.apart[s.attacker, s.defender] = 1
    s.apart[s.defender, s.attacker] = 1
    s.phase = Phase.EXCHANGE_END
