export const AGENT = "---\ntimezone: UTC\n---\n# Agent: Test\n\n## Purpose\n\nBe tested.\n";

export const HEARTBEAT = `## Schedule

@every: 15m

## On Wake

- Check for new messages

## Routine Tasks

- Every morning at 09:00: Daily summary

## Context Reconstruction

- Read state/priorities.md
`;
