/* Little Devils written by hand in C, to measure the engines against: random games, moves counted.
 *   gcc -O3 -march=native -o little_devils little_devils.c && ./little_devils PLAYERS GAMES
 * A hand is a mask: bit n for the card with the number n. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define HAND 9
#define TARGET 100
#define MAXN 6
#define INLINE static inline __attribute__((always_inline))

static const uint8_t DEVILS[55] = {
    0,
    0, 0, 1, 2, 1, 3, 1, 3, 1, 3,
    1, 2, 1, 0, 5, 0, 1, 2, 1, 3,
    1, 2, 1, 0, 5, 0, 1, 2, 1, 3,
    1, 2, 1, 0, 5, 0, 1, 2, 1, 3,
    1, 2, 1, 0, 5, 0, 1, 2, 1, 3,
    1, 3, 1, 3};
#define BARRED ((1ull << 15) | (1ull << 25) | (1ull << 35) | (1ull << 45))

INLINE uint32_t below(uint64_t *s, uint32_t k) {          /* xorshift64*, top 32 bits */
    uint64_t x = *s;
    x ^= x >> 12; x ^= x << 25; x ^= x >> 27;
    *s = x;
    return (uint32_t)(((x * 2685821657736338717ull >> 32) * k) >> 32);
}
INLINE uint64_t random_card(uint64_t m, uint64_t *s) {    /* as a bit */
    uint32_t k = below(s, (uint32_t)__builtin_popcountll(m));
#ifdef __BMI2__
    return _pdep_u64(1ull << k, m);
#else
    while (k--) m &= m - 1;
    return m & (~m + 1);
#endif
}

INLINE void round_core(int n, uint64_t *hand, int leader, uint64_t *s, int *score) {
    for (int t = 0; t < HAND; t++) {
        uint64_t m = hand[leader] & ~BARRED;
        uint64_t led = random_card(m ? m : hand[leader], s);
        hand[leader] ^= led;
        uint64_t lowest = led, highest = led, limit = ~0ull;
        int low_player = leader, high_player = leader, upward = 0, p = leader;
        int devils = DEVILS[__builtin_ctzll(led)];
        for (int i = 1; i < n; i++) {
            if (++p == n) p = 0;
            m = hand[p] & limit;
            uint64_t card = random_card(m ? m : hand[p], s);
            hand[p] ^= card;
            devils += DEVILS[__builtin_ctzll(card)];
            if (card > highest) { highest = card; high_player = p; }
            if (card < lowest) { lowest = card; low_player = p; }
            if (i == 1) {
                upward = card > led;
                limit = upward ? ~(led - 1) : led - 1;
            }
        }
        leader = upward ? (lowest != led ? low_player : high_player) : (highest != led ? high_player : low_player);
        score[leader] += devils;
    }
}

INLINE void deal(int n, uint64_t *hand, uint64_t *s) {    /* partial Fisher-Yates */
    uint8_t deck[HAND * MAXN];
    int k = HAND * n;
    uint64_t rest = ((1ull << (k + 1)) - 1) & ~1ull;
    for (int i = 0; i < k; i++) deck[i] = (uint8_t)(i + 1);
    for (int p = 0; p < n - 1; p++) {
        uint64_t m = 0;
        for (int j = 0; j < HAND; j++) {
            uint32_t i = below(s, (uint32_t)k);
            m |= 1ull << deck[i];
            deck[i] = deck[--k];
        }
        hand[p] = m;
        rest ^= m;
    }
    hand[n - 1] = rest;
}

INLINE uint64_t bench_core(int n, uint64_t games) {
    uint64_t s = 0x9E3779B97F4A7C15ull + 1, moves = 0;
    for (uint64_t g = 0; g < games; g++) {
        int score[MAXN] = {0}, top = 0, dealer = (int)below(&s, (uint32_t)n);
        while (top < TARGET) {
            uint64_t hand[MAXN];
            if (++dealer == n) dealer = 0;
            deal(n, hand, &s);
            round_core(n, hand, dealer, &s, score);
            moves += (uint64_t)(HAND * n);
            for (int p = 0; p < n; p++) if (score[p] > top) top = score[p];
        }
    }
    return moves;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    uint64_t games = argc > 2 ? strtoull(argv[2], 0, 10) : 100000, moves;
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    switch (n) {
        case 3: moves = bench_core(3, games); break;
        case 4: moves = bench_core(4, games); break;
        case 5: moves = bench_core(5, games); break;
        default: moves = bench_core(6, games);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    printf("%.0f moves a second, %.2f moves a game\n", (double)moves / seconds, (double)moves / (double)games);
    return 0;
}
