package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.Journal;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A process that keeps a journal: it does what it is told on stdin, and says on stdout what
 * happened. It ends when stdin does, so that it never outlives a test.
 */
final class JournalProcess {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private final Place place;
  private final Journal journal;
  private final Ballast ballast;
  private Optional<Callers> callers = Optional.empty();

  private JournalProcess(Place place, Journal journal) {
    this.place = place;
    this.journal = journal;
    this.ballast = new Ballast(place.directory().resolve("ballast"));
  }

  public static void main(String[] words) {
    System.setOut(System.err);
    try {
      keep(Place.of(words));
    } catch (IOException | RuntimeException e) {
      System.err.println("the journal process failed: " + e);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void keep(Place place) throws IOException {
    switch (Journal.open(place.settings())) {
      case Journal.Opening.Refused(String sentence) -> say(Line.of("refused", sentence));
      case Journal.Opening.Opened(Journal journal) -> {
        say(Line.of("opened", journal.state().toString()));
        new JournalProcess(place, journal).obey();
      }
    }
  }

  /** One system call per line: what was said before a kill arrives, and never in pieces. */
  private static void say(Line line) {
    try {
      OUT.write(line.text().getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void obey() throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      obey(Line.read(text).orElseThrow());
    }
  }

  private void obey(Line line) throws IOException {
    switch (line.word()) {
      case "load" -> callers = Optional.of(load(line.number(1)));
      case "quiet" -> callers.ifPresent(Callers::stop);
      case "rows" -> rows(line.number(1));
      case "fill" -> ballast.fill();
      case "free" -> ballast.remove();
      default -> throw new IllegalArgumentException(line.word());
    }
    say(Line.of("done", line.word(), journal.state().toString()));
  }

  private Callers load(long seed) {
    return Callers.start(journal, seed, told -> say(told.line()));
  }

  private void rows(long after) {
    Row.forEach(journal, after, row -> say(row.line()));
    say(StoredEdge.of(place.location()).line());
  }
}
