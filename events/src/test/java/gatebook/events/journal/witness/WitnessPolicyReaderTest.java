package gatebook.events.journal.witness;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.WitnessPolicyReader.Mistake;
import gatebook.events.journal.witness.WitnessPolicyReader.Reading;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WitnessPolicyReaderTest {
  private static final String LOG =
      "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

  @TempDir Path directory;
  private List<VerifierKey> keys = List.of();

  @BeforeEach
  void makeKeys() {
    keys = IntStream.range(0, 4).mapToObj(this::key).toList();
  }

  private VerifierKey key(int number) {
    return switch (CosigningKey.loadOrCreate(
        directory.resolve(number + ".key"), "witness.example/" + number)) {
      case LoadedKey.Key<CosigningKey>(CosigningKey key) -> key.verifier();
      case LoadedKey.Refused<CosigningKey>(String why) -> throw new AssertionError(why);
    };
  }

  private String witness(String name, int number) {
    return "witness %s %s https://w%d.example/p\n".formatted(name, keys.get(number).text(), number);
  }

  private static WitnessPolicy valid(String text) {
    assertThat(WitnessPolicyReader.read(text)).isInstanceOf(Reading.Valid.class);
    return ((Reading.Valid) WitnessPolicyReader.read(text)).policy();
  }

  private static List<String> mistakes(String text) {
    assertThat(WitnessPolicyReader.read(text)).isInstanceOf(Reading.Broken.class);
    return ((Reading.Broken) WitnessPolicyReader.read(text))
        .mistakes().stream().map(WitnessPolicyReaderTest::line).toList();
  }

  private static String line(Mistake mistake) {
    return mistake.line() + " " + mistake.sentence();
  }

  private Set<VerifierKey> cosigned(String numbers) {
    return Stream.of(numbers.split("", -1))
        .filter(it -> !it.isEmpty())
        .map(it -> keys.get(Integer.parseInt(it)))
        .collect(Collectors.toSet());
  }

  private String grouped() {
    return "# ours\n\n log\t"
        + LOG
        + " https://log.example\n"
        + witness("a", 0)
        + witness("b", 1)
        + witness("c", 2)
        + witness("\u00fc", 3)
        + "group abc 2 a b c\ngroup any any \u00fc\ngroup both all abc any\nquorum both\n";
  }

  @ParameterizedTest
  @CsvSource({"013, true", "0123, true", "03, false", "012, false", "'', false", "3, false"})
  void nestedGroupsDecideWhoIsEnough(String numbers, boolean isMet) {
    assertThat(valid(grouped()).quorum().isMet(cosigned(numbers))).isEqualTo(isMet);
  }

  @Test
  void aPolicyHasItsLogsWitnessesAndAddresses() {
    WitnessPolicy policy = valid(grouped());

    assertThat(policy.logs()).extracting(VerifierKey::text).containsExactly(LOG);
    assertThat(policy.witnesses())
        .extracting(it -> it.name() + " " + it.url() + " " + keys.indexOf(it.key()))
        .containsExactly(
            "a https://w0.example/p 0",
            "b https://w1.example/p 1",
            "c https://w2.example/p 2",
            "\u00fc https://w3.example/p 3");
    assertThat(valid(witness("a", 0) + "quorum none").quorum().isMet(Set.of())).isTrue();
    assertThat(valid(witness("a", 0) + "quorum a").quorum().isMet(Set.of())).isFalse();
  }

  @Test
  void whatIsPublishedHasNoAddressesAndComments() {
    assertThat(valid(grouped()).published(valid(grouped()).logs().getFirst()))
        .isEqualTo(
            "log %s\nwitness a %s\nwitness b %s\nwitness c %s\nwitness \u00fc %s\n"
                    .formatted(
                        LOG,
                        keys.get(0).text(),
                        keys.get(1).text(),
                        keys.get(2).text(),
                        keys.get(3).text())
                + "group abc 2 a b c\ngroup any any \u00fc\ngroup both all abc any\nquorum both\n");
    assertThat(valid(valid(grouped()).text()).published(keys.getFirst())).doesNotContain("https");
  }

  @Test
  void everyMistakeIsToldWithItsLine() {
    String text =
        witness("a", 0)
            + witness("a", 1)
            + witness("none", 2)
            + witness("d", 0)
            + "witness e "
            + keys.get(3).text()
            + "\nlog x\nlog\n"
            + "log "
            + LOG
            + "\nlog "
            + LOG
            + "\ngroup g 2 a\ngroup h any b a\ngroup i any a\ngroup j any\n"
            + "quorum k\nquorum none\nsomething\n\u0007\n";

    assertThat(mistakes(text))
        .containsExactly(
            "2 has the name 'a' of a line before it",
            "3 has the name 'none', which means nobody",
            "4 has the key of a witness before it",
            "5 must be witness NAME VERIFIER-KEY URL",
            "6 has no key of a log: a verifier key is written name+id+base64, and this is not",
            "7 must be log VERIFIER-KEY, and a URL if any",
            "9 has the key of a log before it",
            "10 must need all, any, or a number from 1 to that of its members",
            "11 has a member 'b', which no line before it names",
            "11 has a member 'a', which is one of a group already",
            "12 has a member 'a', which is one of a group already",
            "13 must be group NAME, then all, any or a number, then its members",
            "14 needs 'k', which no line before it names",
            "15 is a second quorum: keep one",
            "16 begins with none of log, witness, group and quorum",
            "17 has a control character");
    assertThat(mistakes(witness("a", 0)))
        .containsExactly("0 needs a line 'quorum NAME', or 'quorum none'");
    assertThat(mistakes("quorum none"))
        .containsExactly("0 names no witness: write witness NAME VERIFIER-KEY URL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://w",
        "https://",
        "https://u@w",
        "https://w?q",
        "https://w#f",
        "w",
        "http://w:0"
      })
  void whatCannotBeAskedIsNoAddress(String url) {
    assertThat(mistakes("witness a %s %s\nquorum a".formatted(keys.getFirst().text(), url)))
        .singleElement()
        .asString()
        .startsWith("1 must have a URL");
  }

  @Test
  void theNumberOfLinesHasALimit() {
    String most =
        IntStream.range(0, WitnessPolicyReader.EACH_MAX)
            .mapToObj(it -> "group g%d any %s\n".formatted(it, it == 0 ? "a" : "g" + (it - 1)))
            .collect(Collectors.joining());

    assertThat(valid(witness("a", 0) + most + "quorum g63").quorum().isMet(cosigned("0"))).isTrue();
    assertThat(mistakes(witness("a", 0) + most + "group one any g63\nquorum one"))
        .containsExactly("66 is too much: a policy has at most 64 groups");
  }
}
