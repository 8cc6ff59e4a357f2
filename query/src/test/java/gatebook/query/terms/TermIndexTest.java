package gatebook.query.terms;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares an index with a map from each term to its places. */
final class TermIndexTest {
  private static final int POSITIONS_PER_PLACE = 3;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Map<Integer, NavigableSet<Long>> expected = new TreeMap<>();
  private final TermIndex index = new TermIndex("some_terms", Integer.BYTES, POSITIONS_PER_PLACE);
  private Connection view;
  private long position;

  @BeforeEach
  void open() throws SQLException {
    view = DriverManager.getConnection("jdbc:h2:mem:");
    view.setAutoCommit(false);
    createSchema("old");
  }

  private void createSchema(String schema) throws SQLException {
    execute("CREATE SCHEMA " + schema);
    execute("SET SCHEMA " + schema);
    for (String statement : index.statements()) {
      execute(statement);
    }
  }

  @AfterEach
  void close() throws SQLException {
    view.close();
  }

  @Test
  void manyPagesBecomeFewListsWithTheSameOccurrences() throws SQLException {
    for (int page = 0; page < 3_000; page++) {
      addPage(random.nextInt(1, 60), 5_000);
    }

    assertThat(lists()).as("seed %d", seed).isLessThan(45);
    assertThatSearchesFindWhatIsExpected();
  }

  @Test
  void aTermInEveryPageIsFoundNewestFirst() throws SQLException {
    for (int page = 0; page < 200; page++) {
      addPage(500, 3);
    }

    assertThatSearchesFindWhatIsExpected();
  }

  @Test
  void aLowPlaceThatComesLateIsFound() throws SQLException {
    add(7, 900);
    add(7, 3);
    add(7, 600);

    assertThat(search(7, Long.MAX_VALUE, 3)).containsExactly(300L, 200L, 1L);
    assertThat(search(7, 250, 1)).containsExactly(200L);
    assertThat(search(7, 199, 9)).containsExactly(1L);
  }

  @Test
  void anOccurrenceThatIsAddedTwiceIsThereOnce() throws SQLException {
    for (int i = 0; i < 20; i++) {
      add(7, 4);
    }

    assertThat(search(7, Long.MAX_VALUE, 9)).containsExactly(1L);
    assertThat(StoredOccurrences.of(view, index)).containsExactly("00000007 1");
  }

  @Test
  void eightListsBecomeOneUnlessTheyAreLarge() throws SQLException {
    for (int i = 0; i < 8; i++) {
      addList(OccurrenceLists.LARGE - 1);
    }
    assertThat(lists()).isEqualTo(1);

    for (int i = 0; i < 9; i++) {
      addList(OccurrenceLists.LARGE);
    }
    assertThat(lists()).isEqualTo(10);
    assertThat(search(17, Long.MAX_VALUE, 20)).hasSize(17);
  }

  private void addList(int count) throws SQLException {
    position++;
    ByteBuffer bytes = ByteBuffer.allocate(count * (Integer.BYTES + Long.BYTES));
    for (int i = 0; i < count; i++) {
      bytes.put(Occurrences.occurrence(term(i), position));
    }
    new OccurrenceLists(view, index.name(), Integer.BYTES)
        .add(new Occurrences(Integer.BYTES, bytes.array()));
  }

  @Test
  void anEmptyPageAddsNothing() throws SQLException {
    new TermBatch(index).write(view);

    assertThat(lists()).isZero();
    assertThat(search(7, Long.MAX_VALUE, 9)).isEmpty();
  }

  @Test
  void aRebuildCopiesThePlacesUpToItsPosition() throws SQLException {
    for (int page = 0; page < 300; page++) {
      addPage(200, 2_000);
    }
    long upTo = random.nextLong(position);
    createSchema("fresh");

    var filling = index.filling(view, "old", upTo);
    while (filling.writePart()) {
      // goes on
    }

    expected.values().forEach(places -> places.removeIf(it -> it > upTo / POSITIONS_PER_PLACE));
    assertThatSearchesFindWhatIsExpected();
    addPage(100, 2_000);
    assertThatSearchesFindWhatIsExpected();
  }

  @Test
  void aRebuildOfAnEmptyIndexIsEmpty() throws SQLException {
    createSchema("fresh");

    assertThat(index.filling(view, "old", 9).writePart()).isFalse();
    assertThat(lists()).isZero();
  }

  private void addPage(int occurrences, int terms) throws SQLException {
    TermBatch page = new TermBatch(index);
    for (int i = 0; i < occurrences; i++) {
      int number = random.nextInt(-terms, terms);
      position += random.nextInt(4);
      page.add(term(number), position);
      expect(number);
    }
    page.write(view);
  }

  private void add(int number, long at) throws SQLException {
    TermBatch page = new TermBatch(index);
    page.add(term(number), at);
    page.write(view);
  }

  private void expect(int number) {
    expected
        .computeIfAbsent(number, _ -> new TreeSet<>(Comparator.reverseOrder()))
        .add(position / POSITIONS_PER_PLACE);
  }

  private void assertThatSearchesFindWhatIsExpected() throws SQLException {
    List<Integer> numbers = new ArrayList<>(expected.keySet());
    for (int i = 0; i < 1_000; i++) {
      int number = numbers.get(random.nextInt(numbers.size()));
      long highest = random.nextLong(position / POSITIONS_PER_PLACE + 1);
      int limit = random.nextInt(1, 70);
      NavigableSet<Long> places = Objects.requireNonNull(expected.get(number));
      assertThat(search(number, highest, limit))
          .as("seed %d, %d up to %d, at most %d", seed, number, highest, limit)
          .isEqualTo(places.tailSet(highest).stream().limit(limit).toList());
    }
    assertThat(StoredOccurrences.of(view, index))
        .hasSize(expected.values().stream().mapToInt(NavigableSet::size).sum());
  }

  private List<Long> search(int number, long highest, int limit) throws SQLException {
    try (TermSearch search = new TermSearch(view, index)) {
      return search.places(term(number), highest, limit);
    }
  }

  private long lists() throws SQLException {
    try (Statement statement = view.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM some_terms")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static byte[] term(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      boolean _ = statement.execute(sql);
    }
  }
}
