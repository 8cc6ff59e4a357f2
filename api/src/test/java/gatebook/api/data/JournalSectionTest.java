package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.JournalSection.Limit;
import gatebook.api.data.JournalSection.Reading;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JournalSectionTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment", "sources: []", "journal: {}"})
  void omittedSettingsKeepTheirDefaults(String yaml) {
    assertThat(read(yaml)).isEqualTo(new Reading.Read(JournalSection.DEFAULT));
  }

  @Test
  void everySettingIsRead() {
    assertThat(
            read(
                """
                journal:
                  durability: process
                  key_file: /keys/shared
                  queue_events_max: 1
                  queue_bytes_max: 2
                  event_bytes_max: 3
                  batch_events_max: 4
                  batch_bytes_max: 5
                  tail_events_max: 8
                  tail_bytes_max: 7
                  checkpoint_events_max: 10_000
                  checkpoint_millis_max: 9
                  in_doubt_millis_max: 10
                  readers_max: 11
                  segment_bytes_max: 12
                  segment_compression: none
                  segment_block_bytes_max: 1024
                  disk_warning_percent: 1
                  disk_urgent_percent: 100
                  disk_reserve_bytes: 2
                  partition_events: 10_000
                """))
        .isEqualTo(
            new Reading.Read(
                new JournalSection(
                    Durability.PROCESS,
                    new JournalLimits(1, 2, 3, 4, 5, 8, 7, 10_000, 9, 10, 11, 12, 1_024),
                    SegmentCompression.NONE,
                    Optional.of(Path.of("/keys/shared")),
                    RetentionSection.KEEP_ALL,
                    new DiskLimits(1, 100, 2),
                    10_000)));
  }

  @Test
  void aSharedDatabaseHasItsRetentionAndPartitions() {
    Reading.Read read =
        (Reading.Read)
            read(
                """
                journal: {partition_events: 20_000}
                retention: {events: {days: 400}, archive: /archive}
                """);

    SharedLocation shared =
        (SharedLocation)
            new JournalPlace(Path.of("/data"), Optional.of("jdbc:postgresql://host/database"))
                .settings(read.section(), Map.of())
                .location();

    assertThat(shared.partitionEvents()).isEqualTo(20_000);
    assertThat(shared.retention().age()).contains(Duration.ofDays(400));
    assertThat(shared.retention().archive()).isPresent();
  }

  @Test
  void theReadmeShowsEverySettingWithItsDefault() throws IOException {
    String readme =
        Files.readString(Path.of(System.getProperty("gatebook.root"), "events/JOURNAL.md"));
    String shown = readme.substring(readme.indexOf("```yaml\njournal:") + 8);
    shown = shown.substring(0, shown.indexOf("```"));

    assertThat(read(shown)).isEqualTo(new Reading.Read(JournalSection.DEFAULT));
    assertThat(shown)
        .contains(Stream.of(Limit.values()).map(limit -> "  " + limit.key() + ": ").toList());
  }

  @Test
  void allMistakesAreReportedWithTheirPlaces() {
    assertThat(
            read(
                """
                journal:
                  durability: maybe
                  queue_events_max: many
                  queue_bytes_max: 0
                  tail_events_max: 100
                  colour: blue
                  readers_max: 4
                  readers_max: 5
                  segment_compression: zip
                """))
        .isEqualTo(
            wrong(
                "gatebook.yaml:2:15: 'journal.durability' is power or process",
                "gatebook.yaml:3:21: 'journal.queue_events_max' must be a whole number",
                "gatebook.yaml:4:20: 'journal.queue_bytes_max' must be from 1 to"
                    + " 9223372036854775807, not 0",
                "gatebook.yaml:5:20: 'journal.tail_events_max' must be a power of two, not 100",
                "gatebook.yaml:6:3: there is no setting 'journal.colour'",
                "gatebook.yaml:8:3: 'journal.readers_max' is there twice",
                "gatebook.yaml:9:24: 'journal.segment_compression' is deflate or none"));
  }

  @ParameterizedTest
  @EnumSource
  void aLimitMayBeItsSmallestAndNotLess(Limit limit) {
    assertThat(limit.flaw(limit.minimum())).isNull();
    assertThat(limit.flaw(limit.minimum() - 1)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void onlyBlocksAndPartitionsHaveALeastSizeAboveOne(Limit limit) {
    assertThat(limit.minimum())
        .isEqualTo(
            switch (limit) {
              case SEGMENT_BLOCK_BYTES_MAX -> 1_024;
              case PARTITION_EVENTS -> 10_000;
              default -> 1;
            });
  }

  @Test
  void aBlockMayHaveSixteenMebibytesAndNotMore() {
    assertThat(Limit.SEGMENT_BLOCK_BYTES_MAX.flaw(16 << 20)).isNull();
    assertThat(Limit.SEGMENT_BLOCK_BYTES_MAX.flaw((16 << 20) + 1))
        .isEqualTo("must be from 1024 to 16777216, not 16777217");
  }

  @Test
  void invalidYamlIsReportedWithItsPlace() {
    assertThat(read("journal: [")).isInstanceOf(Reading.NotYaml.class);
    assertThat(read("- a\n"))
        .isEqualTo(wrong("gatebook.yaml:1:1: the file must hold keys and values"));
    assertThat(read("journal: 7\n"))
        .isEqualTo(wrong("gatebook.yaml:1:10: 'journal' must hold keys and values"));
    assertThat(read("journal: {durability: [power]}\n"))
        .isEqualTo(wrong("gatebook.yaml:1:23: a setting of 'journal' is one key and one value"));
  }

  private static Reading wrong(String... mistakes) {
    return new Reading.Invalid(List.of(mistakes));
  }

  private static Reading read(String yaml) {
    return JournalSection.read(yaml, "gatebook.yaml");
  }
}
