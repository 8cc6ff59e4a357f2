package gatebook.command.rules;

import gatebook.events.journal.witness.WitnessedLogs;

/**
 * What a node is a witness of.
 *
 * @param name of its cosigning key, and so of the witness
 * @param logs whose checkpoints it cosigns
 */
public record WitnessRules(String name, WitnessedLogs logs) {}
