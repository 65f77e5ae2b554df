"""From the outside world to groups: samples, pastes, files, clusters."""
