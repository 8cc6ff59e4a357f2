package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.proof.ConformancePage.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who asks a server through Gatebook finds in it what it is without. */
@Order(1)
final class ConformanceProcessTest {
  private static final Path HOME = Path.of(System.getProperty("gatebook.root"));
  private static final Path PAGE = HOME.resolve("api/CONFORMANCE.md");

  @TempDir private Path temp;

  @Test
  void theConformanceToolFindsTheSameThroughGatebookButForWhatIsListed() throws Exception {
    SortedMap<Era, Pair> found = new TreeMap<>();
    for (Era era : Era.values()) {
      found.put(era, pair(era));
    }
    ConformancePage page = new ConformancePage(found);

    String text = page.text(Files.readString(PAGE));
    if ("write".equals(System.getProperty("tables"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(text).doesNotContain(ConformancePage.NO_REASON);
    assertThat(Files.readString(HOME.resolve("README.md"))).contains(page.summary());
  }

  private Pair pair(Era era) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(era.revision()));
    try (Fixture fixture = Fixture.start(era);
        Server server =
            Server.start(
                Place.open(folder.resolve("node"), fixture.url()).directory(),
                Server.How.PLAINLY)) {
      return new Pair(
          Conformance.of(fixture.url(), era, folder.resolve("directly")),
          Conformance.of(server.mcp(), era, folder.resolve("through")));
    }
  }
}
