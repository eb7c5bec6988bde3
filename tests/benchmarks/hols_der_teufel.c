/* Hol's der Teufel written by hand in C, to measure the engines against: random games, moves counted.
 *   gcc -O3 -march=native -o hols_der_teufel hols_der_teufel.c && ./hols_der_teufel PLAYERS GAMES
 * A hand is a mask: bit 9 * colour + value - 1 for a devil, bits 36 and 37 for the angels, which are alike: two of them
 * are one choice. Of a row only what lies at its ends counts (a value, or 0 for an angel), how many cards it has, and
 * whether there is an angel in it. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define DEVILS ((1ull << 36) - 1)
#define CARDS 38
#define MAXN 5
#define COLOUR(c) (0x1ffull << 9 * (c))
#define VALUE(v) (0x0008040201ull << ((v) - 1))
#define ABOVE(v) (0x1ffull & ~((1ull << (v)) - 1))
#define BELOW(v) ((1ull << ((v) - 1)) - 1)

typedef struct { int end[2], count, angel; } row;

INLINE uint32_t below(uint64_t *s, uint32_t k) {          /* xorshift64*, top 32 bits */
    uint64_t x = *s;
    x ^= x >> 12; x ^= x << 25; x ^= x >> 27;
    *s = x;
    return (uint32_t)(((x * 2685821657736338717ull >> 32) * k) >> 32);
}
INLINE int kth(uint64_t m, uint32_t k) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ull << k, m));
#else
    while (k--) m &= m - 1;
    return __builtin_ctzll(m);
#endif
}
INLINE uint32_t size(uint64_t m) { return (uint32_t)__builtin_popcountll(m); }

INLINE void deal(int n, uint64_t *hand, uint64_t *s) {    /* partial Fisher-Yates */
    uint8_t deck[CARDS];
    int k = CARDS;
    for (int i = 0; i < k; i++) deck[i] = (uint8_t)i;
    for (int p = 0; p < n; p++) {
        uint64_t m = 0;
        for (int j = 0; j < CARDS / n; j++) {
            uint32_t i = below(s, (uint32_t)k);
            m |= 1ull << deck[i];
            deck[i] = deck[--k];
        }
        hand[p] = m;
    }
}

INLINE void open_row(row *r, int value) { r->end[0] = r->end[1] = value; r->count = 1; }

INLINE uint64_t round_core(int n, uint64_t *hand, int starter, int *chips, uint64_t *s) {
    row rows[4] = {{{0, 0}, 0, 0}, {{0, 0}, 0, 0}, {{0, 0}, 0, 0}, {{0, 0}, 0, 0}};
    int dealer = starter ? starter - 1 : n - 1, p = starter + 1 == n ? 0 : starter + 1, passes = 0;
    uint64_t moves = 1, held = 0, m = hand[starter] & DEVILS, unopened = DEVILS;
    for (int c = 0; c < 4; c++) if (hand[p] & COLOUR(c)) held |= COLOUR(c);
    if (m & held) m &= held;
    int card = kth(m, below(s, size(m)));
    hand[starter] ^= 1ull << card;
    open_row(&rows[card / 9], card % 9 + 1);
    unopened &= ~COLOUR(card / 9);
    while (hand[dealer] && passes < n) {
        uint64_t h = hand[p], free = 0, fit[2] = {0, 0};  /* fit: devils that can be laid at the bottom, at the top */
        int ripe = 1, blessed = 0;
        for (int c = 0; c < 4; c++) {
            const row *r = &rows[c];
            ripe &= r->count >= 2;
            blessed += r->angel;
            for (int e = 0; e < 2; e++)
                if (r->end[e]) { free |= VALUE(r->end[e]); fit[e] |= COLOUR(c); }
        }
        uint64_t opens = h & unopened & free, bottom = h & fit[0], top = h & fit[1], angels = h & ~DEVILS;
        uint32_t a = size(opens), b = size(bottom), t = size(top);
        uint32_t g = ripe && angels ? (uint32_t)(4 - blessed) * 2 : 0, all = a + b + t + g;
        moves++;
        if (all) {
            uint32_t k = below(s, all);
            passes = 0;
            if (k < a) {
                card = kth(opens, k);
                open_row(&rows[card / 9], card % 9 + 1);
                unopened &= ~COLOUR(card / 9);
            } else if (k < a + b + t) {
                int e = k >= a + b;
                card = e ? kth(top, k - a - b) : kth(bottom, k - a);
                row *r = &rows[card / 9];
                int value = card % 9 + 1, price = r->end[e] - value;
                if (price > 0) {
                    int paid = price < chips[p] ? price : chips[p];
                    chips[p] -= paid;
                    chips[p ? p - 1 : n - 1] += paid;
                }
                r->end[e] = value;
                r->count++;
            } else {
                k -= a + b + t;
                card = kth(angels, 0);
                uint32_t place = k / 2;
                for (int c = 0; c < 4; c++)
                    if (!rows[c].angel && place-- == 0) {
                        rows[c].end[k & 1] = 0;
                        rows[c].angel = 1;
                        rows[c].count++;
                        break;
                    }
            }
            hand[p] ^= 1ull << card;
        } else {
            m = h & unopened;
            uint32_t k = below(s, size(m) + !m);
            if (m) {
                card = kth(m, k);
                open_row(&rows[card / 9], card % 9 + 1);
                unopened &= ~COLOUR(card / 9);
                hand[p] ^= 1ull << card;
                passes = 0;
            } else {
                passes++;
            }
        }
        if (++p == n) p = 0;
    }
    return moves;
}

INLINE uint64_t bench_core(int n, uint64_t games) {
    uint64_t s = 0x9E3779B97F4A7C15ull + 1, moves = 0;
    for (uint64_t g = 0; g < games; g++) {
        int chips[MAXN] = {20, 20, 20, 20, 20}, starter = (int)below(&s, (uint32_t)n);
        for (int i = 0; i < n; i++) {
            uint64_t hand[MAXN];
            deal(n, hand, &s);
            moves += round_core(n, hand, starter, chips, &s);
            if (++starter == n) starter = 0;
        }
    }
    return moves;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    uint64_t games = argc > 2 ? strtoull(argv[2], 0, 10) : 100000;
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    uint64_t moves = n == 3 ? bench_core(3, games) : n == 4 ? bench_core(4, games) : bench_core(5, games);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    printf("%.0f moves a second, %.2f moves a game\n", (double)moves / seconds, (double)moves / (double)games);
    return 0;
}
