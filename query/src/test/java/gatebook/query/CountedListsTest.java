package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.GateDenied;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.denials.CountDenials;
import gatebook.query.denials.DenialDimension;
import gatebook.query.denials.DenialGroup;
import gatebook.query.denials.DenialQueries;
import gatebook.query.denials.ListDenials;
import gatebook.query.denials.ListedDenial;
import gatebook.query.faults.FaultDimension;
import gatebook.query.faults.FaultGroup;
import gatebook.query.faults.FaultQueries;
import gatebook.query.faults.FaultRate;
import gatebook.query.faults.GroupFaults;
import gatebook.query.faults.ListFaults;
import gatebook.query.faults.ListedFault;
import gatebook.query.faults.RateFaults;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.ViewFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each group of denials and of errors has a list with exactly what it counts. */
@Timeout(300)
final class CountedListsTest {
  private static final int APPENDS = 600;
  private static final int EVERYTHING = 1_000_000;
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final Comparator<ListedDenial> NEWEST_FIRST =
      Comparator.comparing((ListedDenial denial) -> Instant.parse(denial.at())).reversed();
  private static final Map<DenialDimension, Duration> TIMES =
      Map.of(
          DenialDimension.MINUTE, Duration.ofMinutes(1),
          DenialDimension.HOUR, Duration.ofHours(1),
          DenialDimension.DAY, Duration.ofDays(1));

  @TempDir private Path directory;

  private final long seed = Long.getLong("gatebook.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private Journal journal;
  private ViewFile file;
  private Views views;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.embedded(directory));
    file = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
    views = Views.follow(file, journal);
    RandomEvents randomEvents = new RandomEvents(random);
    for (int i = 0; i < APPENDS; i++) {
      append(randomEvents.next());
    }
    append(List.of(untoldDenial()));
  }

  @AfterEach
  void close() {
    views.close();
    file.close();
    journal.close();
  }

  private void append(List<DraftEvent> drafts) {
    assertThat(journal.append(ConflictCondition.none(), drafts).join())
        .isInstanceOf(Append.Stored.class);
  }

  /** A denial whose caller was not told yet, and that has no target. */
  private static DraftEvent untoldDenial() {
    return new EventVocabulary()
        .draft(
            new GateDenied(
                new UUID(7, 7),
                "rules",
                null,
                "ada",
                List.of(
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*", 1))),
            Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Test
  void eachGroupOfDenialsHasItsList() throws Exception {
    for (Set<DenialDimension> by : subsets()) {
      long counted = 0;
      for (DenialGroup group : groups(List.copyOf(by))) {
        List<ListedDenial> listed = denials(filter(group));
        assertThat(listed).as("seed %d, %s", seed, group).hasSize((int) group.count());
        assertThat(listed)
            .as("seed %d, %s", seed, group)
            .isSortedAccordingTo(NEWEST_FIRST)
            .doesNotHaveDuplicates();
        counted += group.count();
      }
      assertThat(denials(anyDenial())).as("seed %d, %s", seed, by).hasSize((int) counted);
    }
  }

  private static List<Set<DenialDimension>> subsets() {
    List<DenialDimension> all = List.of(DenialDimension.values());
    return IntStream.range(1, 1 << all.size())
        .<Set<DenialDimension>>mapToObj(bits -> {
          Set<DenialDimension> some = EnumSet.noneOf(DenialDimension.class);
          IntStream.range(0, all.size())
              .filter(i -> (bits & (1 << i)) != 0)
              .forEach(i -> some.add(all.get(i)));
          return some;
        })
        .filter(some -> some.size() <= 2 || some.size() == all.size())
        .toList();
  }

  private List<DenialGroup> groups(List<DenialDimension> by) throws InterruptedException {
    return views
        .queries()
        .send(
            new CountDenials(Optional.empty(), Optional.empty(), by, EVERYTHING, 0),
            DenialQueries.Counts.class)
        .groups();
  }

  private List<ListedDenial> denials(ListDenials.Filter filter) throws InterruptedException {
    List<ListedDenial> denials = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    long total;
    do {
      DenialQueries.DenialPage page =
          views
              .queries()
              .send(
                  new ListDenials(filter, after, 1 + random.nextInt(40), 0),
                  DenialQueries.DenialPage.class);
      denials.addAll(page.denials());
      total = page.total();
      after = page.next();
    } while (after.isPresent());
    assertThat(denials).as("seed %d, %s", seed, filter).hasSize((int) total);
    return denials;
  }

  private static ListDenials.Filter anyDenial() {
    return filter(new DenialGroup(Map.of(), 0, null, null));
  }

  private static ListDenials.Filter filter(DenialGroup group) {
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    TIMES.forEach((dimension, length) -> {
      if (group.members().get(dimension.word()) instanceof String begin) {
        begins.add(Instant.parse(begin));
        ends.add(Instant.parse(begin).plus(length));
      }
    });
    return new ListDenials.Filter(
        begins.stream().max(Comparator.naturalOrder()),
        ends.stream().min(Comparator.naturalOrder()),
        member(group.members(), "gate"),
        member(group.members(), "tool"),
        member(group.members(), "principal"),
        member(group.members(), "reason"),
        member(group.members(), "dialect"),
        member(group.members(), "code"));
  }

  private static ColumnFilter member(Map<String, @Nullable Object> members, String name) {
    Object value = members.get(name);
    if (value == null) {
      return members.containsKey(name) ? ColumnFilter.NOTHING : ColumnFilter.ANYTHING;
    }
    return new ColumnFilter.Exactly(value);
  }

  @Test
  void eachGroupOfErrorsHasItsList() throws Exception {
    FaultQueries.Groups groups =
        views
            .queries()
            .send(
                new GroupFaults(Optional.empty(), Optional.empty(), NOW, EVERYTHING, 0),
                FaultQueries.Groups.class);

    assertThat(groups.groups()).hasSizeGreaterThan(5);
    for (FaultGroup group : groups.groups()) {
      List<ListedFault> listed = faults(fingerprint(group.fingerprint()));
      assertThat(listed.stream().mapToLong(ListedFault::times).sum())
          .as("seed %d, %s", seed, group)
          .isEqualTo(group.count());
      assertThat(listed)
          .as("seed %d, %s", seed, group)
          .extracting(
              ListedFault::fingerprint,
              ListedFault::dialect,
              ListedFault::code,
              ListedFault::fault,
              ListedFault::gate,
              ListedFault::target)
          .containsOnly(
              tuple(
                  group.fingerprint(),
                  group.dialect(),
                  group.code(),
                  group.fault(),
                  group.gate(),
                  group.target()));
      assertThat(faults(sameMembers(group)))
          .as("seed %d, %s", seed, group)
          .containsExactlyElementsOf(listed);
    }
  }

  @Test
  void eachRateOfErrorsHasItsList() throws Exception {
    for (List<FaultDimension> by :
        List.of(
            List.of(FaultDimension.CODE),
            List.of(FaultDimension.AGENT),
            List.of(FaultDimension.SKILL),
            List.of(FaultDimension.AGENT, FaultDimension.SKILL, FaultDimension.CODE))) {
      FaultQueries.Rates rates =
          views
              .queries()
              .send(
                  new RateFaults(by, Optional.empty(), Optional.empty(), NOW, EVERYTHING, 0),
                  FaultQueries.Rates.class);
      assertThat(rates.groups()).isNotEmpty();
      for (FaultRate rate : rates.groups()) {
        assertThat(faults(filter(by, rate)).stream().mapToLong(ListedFault::times).sum())
            .as("seed %d, %s", seed, rate)
            .isEqualTo(rate.count());
      }
    }
  }

  private List<ListedFault> faults(ListFaults.Filter filter) throws InterruptedException {
    List<ListedFault> faults = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    long total;
    do {
      FaultQueries.FaultPage page =
          views
              .queries()
              .send(
                  new ListFaults(filter, after, 1 + random.nextInt(40), 0),
                  FaultQueries.FaultPage.class);
      faults.addAll(page.faults());
      total = page.total();
      after = page.next();
    } while (after.isPresent());
    assertThat(faults.stream().mapToLong(ListedFault::times).sum())
        .as("seed %d, %s", seed, filter)
        .isEqualTo(total);
    return faults;
  }

  private static ListFaults.Filter fingerprint(String fingerprint) {
    return new ListFaults.Filter(
        Optional.empty(),
        Optional.empty(),
        Optional.of(fingerprint),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING);
  }

  private static ListFaults.Filter sameMembers(FaultGroup group) {
    return new ListFaults.Filter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new ColumnFilter.Exactly(group.dialect()),
        exactly(code(group.code())),
        new ColumnFilter.Exactly(group.fault()),
        exactly(group.gate()),
        exactly(group.target()),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING);
  }

  private static ListFaults.Filter filter(List<FaultDimension> by, FaultRate rate) {
    return new ListFaults.Filter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        member(by, FaultDimension.CODE, rate.members().get("dialect")),
        member(by, FaultDimension.CODE, rate.members().get("code")),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        member(by, FaultDimension.AGENT, rate.members().get("agent")),
        member(by, FaultDimension.SKILL, rate.members().get("skill")));
  }

  private static ColumnFilter member(
      List<FaultDimension> by, FaultDimension dimension, @Nullable JsonNode value) {
    return by.contains(dimension) ? exactly(code(value)) : ColumnFilter.ANYTHING;
  }

  private static @Nullable String code(@Nullable JsonNode code) {
    return code == null ? null : code.asText();
  }

  private static ColumnFilter exactly(@Nullable String value) {
    return Stream.ofNullable(value)
        .<ColumnFilter>map(ColumnFilter.Exactly::new)
        .findFirst()
        .orElse(ColumnFilter.NOTHING);
  }
}
