package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts that would replace a rules file. */
final class CandidateRulesTest {

  private static final String PERMIT = "permit (principal, action, resource);";
  private static final String NOT_READ =
      "an item of 'policies' names a file, beside this one, that a candidate may not read: name one"
          + " that the file in force names, or a .cedar file in or below this folder";

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = Files.createDirectory(folder.resolve("rules")).resolve("rules.yaml");
    Files.createDirectory(folder.resolve("rules/more"));
    Files.writeString(file, text("../outside.txt"));
    for (String name :
        List.of(
            "outside.txt", "other.cedar", "rules/token", "rules/a.cedar", "rules/more/b.cedar")) {
      Files.writeString(folder.resolve(name), PERMIT);
    }
  }

  private static String text(String policies) {
    return GivenRules.MINIMAL + "cedar: {policies: [\"%s\"]}\n".formatted(policies);
  }

  private RulesFile inForce() {
    return RulesFile.at(file, Map.of("TOKEN", "tok-1234"), Set.of());
  }

  private Reading read(String candidate) {
    return inForce().withCandidate(candidate).read();
  }

  @Test
  void candidateReadsFilesOfCedarAndTheNamedOnes() {
    for (String name : List.of("a.cedar", "more/b.cedar", "../outside.txt")) {
      assertThat(read(text(name))).isInstanceOf(Reading.Valid.class);
    }
  }

  @Test
  void candidateReadsNoOtherFile() throws IOException {
    for (String name :
        List.of("token", "../other.cedar", "more/../../other.cedar", folder + "/other.cedar")) {
      assertThat(((Reading.Broken) read(text(name))).mistakes())
          .containsExactly(new Mistake("candidate", 4, 20, NOT_READ));
    }
    assertThat(Files.readString(file)).isEqualTo(text("../outside.txt"));
  }

  @Test
  void mistakesOfACandidateHaveItsLinesAndNoValues() {
    String candidate = GivenRules.MINIMAL.replace("deny", "${TOKEN}").replace("demo}", "tok-5678}");

    assertThat(((Reading.Broken) read(candidate)).mistakes())
        .extracting(Mistake::file, Mistake::line)
        .containsExactly(tuple("candidate", 2), tuple("candidate", 3));
    assertThat(read(candidate).toString()).doesNotContain("tok-1234", "tok-5678");
  }
}
