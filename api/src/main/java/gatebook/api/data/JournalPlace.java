package gatebook.api.data;

import gatebook.api.archive.ArchiveAddress;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSettings.Location;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The place of a journal: its files in a data directory, or a database on a server.
 *
 * @param databaseUrl empty for segments in the directory
 */
public record JournalPlace(Path directory, Optional<String> databaseUrl) {

  private static final String POSTGRESQL = "jdbc:postgresql:";

  /**
   * Why no journal can be in this place. The URL is not repeated, since it may contain a password.
   */
  public Optional<String> refusal() {
    return databaseUrl
        .filter(url -> !url.startsWith(POSTGRESQL))
        .map(_ ->
            "--db takes a URL that begins with %s, or is left out for a journal in the data directory"
                .formatted(POSTGRESQL));
  }

  /** The private key that signs checkpoints, unless another file is configured. */
  public Path keyFile() {
    return directory.resolve("checkpoint.key");
  }

  /** The directory of content keys, or with a database of the key that wraps them there. */
  public Path keys() {
    return directory.resolve("keys");
  }

  /**
   * The settings of the journal in this place. When the section names no archive, the one is read
   * that a node used last.
   *
   * @param environment holds the credentials of a database server
   */
  public JournalSettings settings(JournalSection section, Map<String, String> environment) {
    SegmentRetention retention = section.retention().ofSegments();
    return settings(
        section,
        environment,
        retention.archive().isPresent()
            ? retention
            : KnownArchive.in(directory).address().map(reading(retention)).orElse(retention));
  }

  /** The same, with an archive that is only read. */
  public JournalSettings settings(
      JournalSection section, Map<String, String> environment, ArchiveAddress archive) {
    return settings(section, environment, reading(section.retention().ofSegments()).apply(archive));
  }

  private static Function<ArchiveAddress, SegmentRetention> reading(SegmentRetention retention) {
    return address -> retention.with(address::openExisting);
  }

  private JournalSettings settings(
      JournalSection section, Map<String, String> environment, SegmentRetention retention) {
    return new JournalSettings(
        location(section, environment, retention),
        section.durability(),
        ManagementFactory.getRuntimeMXBean().getName(),
        section.keyFile().orElseGet(this::keyFile),
        directory.resolve("checkpoint"),
        section.limits());
  }

  private Location location(
      JournalSection section, Map<String, String> environment, SegmentRetention retention) {
    return sharedLocation(environment)
        .<Location>map(shared -> shared.with(retention).withPartitions(section.partitionEvents()))
        .orElseGet(() ->
            new SegmentLocation(directory.resolve("journal"))
                .with(section.compression())
                .with(retention));
  }

  /** The database; empty for segments in the directory. */
  public Optional<SharedLocation> sharedLocation(Map<String, String> environment) {
    return databaseUrl.map(url ->
        new SharedLocation(
            url,
            environment.getOrDefault("GATEBOOK_DB_USER", ""),
            environment.getOrDefault("GATEBOOK_DB_PASSWORD", "")));
  }
}
