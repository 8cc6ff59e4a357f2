package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GlobTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          delete_user, delete_user
          delete_*,    delete_
          delete_*,    delete_user
          *,           ''
          *,           a/b/.c
          *.txt,       .txt
          *a*b,        xaxaxb
          a?c,         abc
          a?c,         a😀c
          a?c,         a/c
          [abc],       b
          [a-c]x,      cx
          [!a-c]x,     dx
          []],         ]
          []a],        a
          [!]],        a
          [a-],        -
          [-a],        -
          [*],         *
          [?],         ?
          [!!],        a
          [α-ω],       λ
          **,          a/b
          **,          ''
          **/a,        a
          **/a,        x/y/a
          a/**,        a/b/c
          a/**,        a/
          a/**/b,      a/b
          a/**/b,      a/x/y/b
          **/**,       a/b
          **/**/a,     x/a
          {a},         {a}
          a\\b,        a\\b
          file:///**/x, file:///a/b/x
          """)
  void matches(String pattern, String name) {
    assertThat(new Glob(pattern).matches(name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          delete,      delete_user
          delete_*,    xdelete_
          Delete_*,    delete_a
          ?,           ''
          ?,           ab
          [a-c],       B
          [c-a],       b
          [!a],        a
          [!]],        ]
          **/a,        xa
          a/**/b,      a/xb
          a/**,        a
          {a,          a
          a\\*,        a*
          """)
  void doesNotMatch(String pattern, String name) {
    assertThat(new Glob(pattern).matches(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          delete_*,        DELETE_all
          deleteAll,       DELETEALL
          deleteAll,       deleteall
          Straße_[!A],     'STRAßE_b'
          ﬁle*,            FILES
          file:///Etc/*,   file:///x/../etc/passwd
          'a%20b/*',       'A%20B/c'
          '*%2e%2e*',      'a%252e%252e'
          '*%2E*',         'a%2Eb'
          [!A-Z]*,         delete
          [!A-Z]*,         Delete
          """)
  void matchesEitherSpelling(String pattern, String name) {
    assertThat(matchesEither(pattern, name)).isTrue();
  }

  /** Neither a set nor an escape in a pattern comes to mean more than it says. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          [A-Z]*,    delete
          '*%2e*',   a.b
          '*%2F*',   a/b
          */../*,    a/b
          *//b,      a/b
          delete,    'delete\\'
          """)
  void matchesNoOtherSpelling(String pattern, String name) {
    assertThat(matchesEither(pattern, name)).isFalse();
  }

  private static boolean matchesEither(String pattern, String name) {
    return new Glob(pattern).matchesEither(name, NormalisedName.of(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "***", "a***", "a**", "**a", "a/**b", "x**/a", "[", "[]", "[!]", "[a", "a[!b", "[!"
      })
  void aFlawedPatternIsNoGlob(String pattern) {
    assertThat(Glob.flaw(pattern)).isPresent();
    assertThatThrownBy(() -> new Glob(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPatternIsEqualToItself() {
    assertThat(new Glob("a*")).isEqualTo(new Glob("a*")).isNotEqualTo(new Glob("a?"));
    assertThat(new Glob("a*").pattern()).isEqualTo("a*");
  }

  @Test
  void manyStarsMatchInBoundedTime() {
    Glob glob = new Glob("*a".repeat(50) + "b");

    Assertions.assertTimeout(
        Duration.ofMinutes(1), () -> assertThat(glob.matches("a".repeat(100_000))).isFalse());
  }

  @Test
  void randomPatternsMatchLikeTheReference() {
    Random random = new Random(7);
    int valid = 0;
    int matching = 0;
    for (int i = 0; i < 200_000; i++) {
      String pattern = text(random, "ab/*?[]!-.", 9);
      boolean isValid = ReferenceGlob.isValid(pattern);
      assertThat(Glob.flaw(pattern).isEmpty()).as(pattern).isEqualTo(isValid);
      if (isValid) {
        valid++;
        String name = text(random, "ab/.-]", 8);
        boolean matches = ReferenceGlob.matches(pattern, name);
        matching += matches ? 1 : 0;
        assertThat(new Glob(pattern).matches(name)).as(pattern + " " + name).isEqualTo(matches);
      }
    }
    assertThat(valid).isGreaterThan(20_000);
    assertThat(matching).isGreaterThan(2_000);
  }

  private static String text(Random random, String alphabet, int lengthMax) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
