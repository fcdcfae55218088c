#!/usr/bin/env node
import { processIo } from '../dist/cli/io.js';
import { main } from '../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2), processIo());
