package gatebook.events.journal.storage;

/** The durability of a completed append: what it survives. */
public enum Durability {
  /** A killed process and a loss of power: every batch is forced to the disk. */
  POWER,
  /** A killed process: every batch is passed to the operating system. */
  PROCESS
}
