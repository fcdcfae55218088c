#!/usr/bin/env node
import { processIo } from '../dist/bundle/io.js';
import { main } from '../dist/bundle/main.js';

process.exitCode = await main(process.argv.slice(2), processIo());
