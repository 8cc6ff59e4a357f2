package gatebook.events.journal;

/** What a completed append survives. */
public enum Durability {
  /** A killed process and a loss of power: every batch is forced to the disk. */
  POWER,
  /** A killed process: every batch is handed to the operating system. */
  PROCESS
}
